//! Prints figures.
use anser_oracle::fox_hounds::*;
use anser_oracle::foxbox::*;
use anser_oracle::fuzz::*;
use anser_oracle::hare_hounds::*;
use anser_oracle::hasenspiel::Hasenspiel;
use anser_oracle::hexapawn::*;
use anser_oracle::noughts::*;
use anser_oracle::*;
use std::time::Instant;
fn main() {
    let t = Instant::now();
    for n in [2, 4, 6, 8] {
        let game = FoxHounds::new(n);
        let graph = Graph::reachable(&game, &game.start());
        let values = graph.values();
        println!("{n}: {} {:?} games {:?}  {:?}", graph.len(), values[0], graph.games()[0], t.elapsed());
        if let Some(o) = graph.opposite(&values) {
            println!("  opposite {o} {} {:?}", game.notation(&graph.positions[o]), values[o]);
        }
        println!("{:?}", graph.ends());
        let b = b_values(&game, &graph, &values);
        let max = max_b(&graph, &b);
        println!("  B {} maxB {:?} {:?}", b[0], max[0], t.elapsed());
        if n == 8 {
            let o = graph.opposite(&values).unwrap();
            let hounds = Match::new(&graph, &values, &max, Side::Second);
            let fox = Match::new(&graph, &values, &max, Side::First);
            for p in [0.0, 1.0 / 256.0, 1.5 / 256.0, 1.75 / 256., 0.5, 1.0] {
                println!(
                    "{p:.6} {:.6} {:.6}  literal {:.6} {:.6}",
                    hounds.chances(Fuzz::Weights, p)[0],
                    fox.chances(Fuzz::Weights, p)[o],
                    hounds.chances(Fuzz::Literal, p)[0],
                    fox.chances(Fuzz::Literal, p)[o]
                );
            }
            println!("{:?}", t.elapsed());
            println!(
                "fairest {} literal {}",
                hounds.fairest(Fuzz::Weights, 0, 1e-5),
                hounds.fairest(Fuzz::Literal, 0, 1e-5)
            );
            println!("{:?}", t.elapsed());
        }
    }
    for game in [Hasenspiel::Literal, Hasenspiel::Author, Hasenspiel::AsPrinted] {
        let graph = Graph::reachable(&game, &game.start());
        let values = graph.values();
        let g = graph.games()[0].clone();
        println!("{game:?}: {} {:?} games {:?}  {:?}", graph.len(), values[0], g, t.elapsed());
        println!(
            "{:?} {:?}",
            graph.ends(),
            graph
                .census(&values)
                .iter()
                .map(|(s, m)| (*s, m.iter().map(|(w, d)| (*w, d.values().sum::<u64>())).collect::<Vec<_>>()))
                .collect::<Vec<_>>()
        );
    }
    let game = HareHounds { budget: Some(60) };
    let graph = Graph::of(&game, game.all_positions());
    println!("hare {} cap {}", graph.len(), graph.last_first().is_some());
    let values = graph.values();
    let s = graph.find(&game.start()).unwrap();
    println!("{:?} {:?}", values[s], graph.line(&game, &values, s, &[Side::First]));
    let game = HareHounds { budget: None };
    let graph = Graph::of(&game, game.all_positions());
    let values = graph.values_by_rounds();
    println!("{} {:?}", graph.len(), graph.census(&values));
    println!("{:?}", graph.ends());
    println!(
        "{:?}",
        graph.zugzwangs(&game, &values).iter().map(|&i| game.notation(&graph.positions[i])).collect::<Vec<_>>()
    );
    for (columns, rows) in [(3, 3), (4, 4), (3, 4), (4, 3), (2, 3), (1, 3)] {
        let game = Hexapawn { columns, rows };
        let graph = Graph::reachable(&game, &game.start());
        println!(
            "{columns}x{rows} {} {:?} {:?} all {}",
            graph.len(),
            graph.values()[0],
            graph.games()[0],
            if rows * columns < 13 { Graph::of(&game, game.all_positions()).len() } else { 0 }
        );
    }
    let graph = Graph::reachable(&Noughts, &Noughts.start());
    println!("{} {:?} {:?} {:?}", graph.len(), graph.values()[0], graph.games()[0], t.elapsed());
}
