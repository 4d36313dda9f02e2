//! Memory falls when lower layers are released.

use std::fs;
use std::process::Command;

use anser_core::Hunt;
use anser_solve::{
    EngineChoice, Event, Observer, RunObserver, SolveOptions, resident_memory, solve,
};

/// Set in the process whose memory is measured.
const ALONE: &str = "ANSER_TEST_ALONE";

#[test]
fn lower_layers_are_released_and_the_memory_falls() {
    if std::env::var_os(ALONE).is_some() {
        return measure();
    }
    // Other tests would change the memory of this process, so the test runs in another one.
    let name = "release::lower_layers_are_released_and_the_memory_falls";
    let program = std::env::current_exe().unwrap();
    let output = Command::new(program).args([name, "--exact"]).env(ALONE, "1").output().unwrap();
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && printed.contains("1 passed"), "{printed}");
}

fn measure() {
    struct Watch(std::sync::Mutex<Vec<(Vec<u16>, u64, u64)>>);
    impl Observer for Watch {}

    impl RunObserver for Watch {
        fn event(&self, event: &Event) {
            if let Event::Released { layers, resident: Some((before, after)) } = event {
                self.0.lock().unwrap().push((layers.clone(), *before, *after));
            }
        }
    }
    if resident_memory().is_none() {
        eprintln!("this system does not report resident memory; nothing is tested");
        return;
    }
    let (dir, game) = (tempfile::tempdir().unwrap(), Hunt::default());
    // The bit-parallel engine releases them too, but its own memory at that moment hides it.
    let options = SolveOptions {
        layers: Some(1..=7),
        engine: EngineChoice::General,
        ..SolveOptions::new(dir.path())
    };
    let watch = Watch(std::sync::Mutex::default());
    solve(&game, &options, &watch).unwrap();
    let released = watch.0.into_inner().unwrap();
    assert_eq!(
        released.iter().map(|(layers, ..)| layers.clone()).collect::<Vec<_>>(),
        [[4], [5], [6]]
    );
    // Layer 6 is 1.9 MB, and all of it was read. Less than half of it could be noise.
    let (_, before, after) = released.last().unwrap();
    let size = fs::metadata(dir.path().join("fox-geese.free.L06.wdl.anser")).unwrap().len();
    assert!(
        before.saturating_sub(*after) > size / 2,
        "resident {before} before and {after} after, layer 6 has {size}"
    );
}
