//! Solves Fox-and-Hounds and prints what there is to say of it: `cargo run --release -p anser-solve --example hounds -- 10`.

use anser_solve::Unobserved;
use anser_solve::hounds::{HoundsOptions, HoundsSolver};
use std::time::Instant;

fn main() {
    let size: usize = std::env::args().nth(1).map_or(8, |s| s.parse().unwrap());
    let all = std::env::args().nth(2).is_none_or(|s| s.contains('a'));
    let games = std::env::args().nth(2).is_none_or(|s| s.contains('g'));
    let t = Instant::now();
    let solver = if size == 0 {
        HoundsSolver::hasenspiel(false)
    } else if size == 1 {
        HoundsSolver::hasenspiel(true)
    } else {
        HoundsSolver::fox_hounds(size, false)
    };
    println!("{:?}", t.elapsed());
    let report = solver.analyse(HoundsOptions { all, games }, &Unobserved).unwrap();
    println!("{:?} {} {:?}", report.start, report.reachable.positions(), t.elapsed());
    if let Some([f, h]) = &report.games {
        println!("{} = {f} + {h}", f + h);
    }
    if let Some(all) = &report.all {
        println!("all {}", all.positions());
    }
    println!("{:?}", std::fs::read_to_string("/proc/self/status").unwrap().lines().find(|l| l.starts_with("VmHWM")));
}
