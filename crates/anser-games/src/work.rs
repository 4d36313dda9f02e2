//! Work on whole layers of an [`AnyGame`], at the speed of the game's own type.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use anser_analyse::{AnalyseError, Count, Limits, Solution, WholeCensus, WholeGame};
use anser_core::Layers;
use anser_solve::{
    Estimate, Observer, PackOptions, Packed, RunObserver, SolveError, SolveOptions, Solved,
    UnpackOptions, Verified, VerifyOptions,
};
use anser_table::Access;

use crate::{AnyGame, AnyPosition};

impl AnyGame {
    /// Returns what [`AnyGame::solve`] would need; see [`anser_solve::plan`].
    ///
    /// # Errors
    /// As [`anser_solve::plan`].
    pub fn plan(&self, options: &SolveOptions) -> Result<Estimate, SolveError> {
        self.erased().plan(options)
    }

    /// Solves layers into raw tables, and resumes an earlier run; see [`anser_solve::solve`].
    ///
    /// ```
    /// use anser_games::Registry;
    /// use anser_solve::{SolveOptions, Unobserved};
    ///
    /// let dir = tempfile::tempdir()?;
    /// let game = Registry::standard().game("fox-geese", Some("first-capture"))?;
    /// game.solve(&SolveOptions { layers: Some(1..=4), ..SolveOptions::new(dir.path()) }, &Unobserved)?;
    /// assert!(dir.path().join("fox-geese.first-capture.L04.wdl.anser").exists());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`anser_solve::solve`].
    pub fn solve(
        &self,
        options: &SolveOptions,
        observer: &dyn RunObserver,
    ) -> Result<Solved, SolveError> {
        self.erased().solve(options, observer)
    }

    /// Checks tables; see [`anser_solve::verify`].
    ///
    /// # Errors
    /// As [`anser_solve::verify`].
    pub fn verify(
        &self,
        dirs: &[PathBuf],
        options: &VerifyOptions,
        access: &(dyn Access + Sync),
        observer: &dyn Observer,
    ) -> Result<Vec<Verified>, SolveError> {
        self.erased().verify(dirs, options, access, observer)
    }

    /// Compresses raw tables into packed ones; see [`anser_solve::pack`].
    ///
    /// # Errors
    /// As [`anser_solve::pack`].
    pub fn pack(
        &self,
        options: &PackOptions,
        observer: &dyn RunObserver,
    ) -> Result<Vec<Packed>, SolveError> {
        self.erased().pack(options, observer)
    }

    /// Makes raw tables of packed ones; see [`anser_solve::unpack`].
    ///
    /// # Errors
    /// As [`anser_solve::unpack`].
    pub fn unpack(
        &self,
        options: &UnpackOptions,
        observer: &dyn RunObserver,
    ) -> Result<Vec<Packed>, SolveError> {
        self.erased().unpack(options, observer)
    }

    /// Solves everything that can be reached from `root`, in memory; see
    /// [`Solution::reachable_within`].
    ///
    /// ```
    /// use anser_analyse::Limits;
    /// use anser_core::prelude::*;
    /// use anser_core::{Dtw, Side};
    /// use anser_games::Registry;
    ///
    /// let game = Registry::standard().game("hexapawn:3x3", None)?;
    /// let solution = game.solution(&game.start(), &Limits::default())?;
    /// assert_eq!(solution.get(&game.start()), Some(Dtw::win(Side::Second, 6)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Solution::reachable_within`].
    pub fn solution(
        &self,
        root: &AnyPosition,
        limits: &Limits<'_>,
    ) -> Result<Solution<AnyGame>, AnalyseError> {
        self.erased().solution(self, self.encode(root), limits)
    }

    /// Solves all positions of layers, and of the layers that play leads to from them, in memory;
    /// see [`Solution::of_layers`].
    ///
    /// # Errors
    /// As [`Solution::of_layers`].
    pub fn solution_of_layers(
        &self,
        layers: RangeInclusive<u16>,
        limits: &Limits<'_>,
    ) -> Result<Solution<AnyGame>, AnalyseError> {
        self.erased().solution_of_layers(self, layers, limits)
    }
}

impl WholeGame for AnyGame {
    fn census(
        &self,
        root: &AnyPosition,
        all: bool,
        limits: &Limits<'_>,
    ) -> Result<WholeCensus, AnalyseError> {
        self.erased().census(self.encode(root), all, limits)
    }

    fn count(&self, root: &AnyPosition, limits: &Limits<'_>) -> Result<Count, AnalyseError> {
        self.erased().count(self.encode(root), limits)
    }
}
