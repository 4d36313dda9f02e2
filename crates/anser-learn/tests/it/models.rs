//! Model files: read back, refused where they do not fit, and never believed if damaged.

use std::fs;
use std::path::Path;

use anser_core::Unobserved;
use anser_learn::{DocumentEncoding, HuntEncoding, LearnError, Learner, Model, Settings, Starts};

use crate::hexapawn;

#[test]
fn a_model_is_read_back_and_fits_its_game_only() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("model.safetensors");
    let game = hexapawn(3, 3);
    let encoding = HuntEncoding::new(&game);
    let settings = Settings { iterations: 1, ..Settings::standard(100) };
    let mut learner = Learner::new(&game, &encoding, settings, 3, Starts::of(&game, &[])).unwrap();
    learner.iterate(1, &Unobserved).unwrap();
    learner.write_model(&path).unwrap();
    let model = Model::read(&path).unwrap();
    assert_eq!(model.description, learner.description());
    let inputs = vec![1.0; 18];
    assert_eq!(
        model.network.evaluate(inputs.clone()).unwrap(),
        learner.network().evaluate(inputs).unwrap()
    );
    model.description.check(&game, &encoding).unwrap();
    let mismatch = |result: Result<(), LearnError>| match result.unwrap_err() {
        LearnError::Mismatch { what, .. } => what,
        error => panic!("{error}"),
    };
    let larger = hexapawn(4, 4);
    assert_eq!(mismatch(model.description.check(&larger, &HuntEncoding::new(&larger))), "game");
    assert_eq!(
        mismatch(model.description.check(&game, &DocumentEncoding::new(&game).unwrap())),
        "encoding"
    );
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1, "no temporary file is left");
}

#[test]
fn damaged_and_foreign_files_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("checkpoint");
    let game = hexapawn(3, 3);
    let encoding = HuntEncoding::new(&game);
    let settings = Settings { hidden: vec![8], iterations: 2, ..Settings::standard(100) };
    let mut learner =
        Learner::new(&game, &encoding, settings.clone(), 3, Starts::of(&game, &[])).unwrap();
    learner.iterate(1, &Unobserved).unwrap();
    learner.write_checkpoint(&path).unwrap();
    let sound = fs::read(&path).unwrap();
    let resume = |settings: &Settings, seed, path: &Path| {
        Learner::resume(&game, &encoding, settings.clone(), seed, Starts::of(&game, &[]), path)
            .map(|_| ())
    };
    resume(&settings, 3, &path).unwrap();
    for error in
        [resume(&settings, 4, &path), resume(&Settings { steps: 1, ..settings.clone() }, 3, &path)]
    {
        assert!(matches!(error.unwrap_err(), LearnError::Mismatch { .. }));
    }
    // A model has no state to go on from.
    learner.write_model(&path).unwrap();
    assert!(matches!(resume(&settings, 3, &path).unwrap_err(), LearnError::Corrupt { .. }));

    let step = sound.len() / 300;
    for at in (0..sound.len()).step_by(step.max(1)) {
        let mut damaged = sound.clone();
        damaged[at] ^= 1 << (at % 8);
        fs::write(&path, &damaged).unwrap();
        let error = Model::read(&path).map(|_| ()).unwrap_err();
        assert!(matches!(error, LearnError::Corrupt { .. }), "byte {at}: {error}");
        fs::write(&path, &sound[..at]).unwrap();
        assert!(matches!(Model::read(&path).map(|_| ()).unwrap_err(), LearnError::Corrupt { .. }));
    }
    fs::remove_file(&path).unwrap();
    assert!(matches!(Model::read(&path).map(|_| ()).unwrap_err(), LearnError::File { .. }));
}
