//! The answers of the command line (`--json`), the server, and bindings, as data. `docs/json.md`
//! explains the vocabulary, and `docs/json-schema.json` is their JSON Schema.
//!
//! Every answer is a type with public fields that can be serialized and read back. Constructors
//! take values of the other crates. A program writes answers as [`Versioned`] objects.
//!
//! ```
//! use anser_games::Registry;
//! use anser_games::answers::{ProbeAnswer, Versioned};
//!
//! let game = Registry::standard().game("fox-hounds:4", None)?;
//! let text = r#"{"schema":1,"game":"fox-hounds:4","rules":"escape","position":"2/1F/2/hh f",
//!     "to_move":"fox","outcome":"hounds","dtw":8,"moves":[
//!         {"move":"d3-c2","position":"2/2/1F/hh h","outcome":"hounds","dtw":7}]}"#;
//! let answer: Versioned<ProbeAnswer> = serde_json::from_str(text)?;
//! let position = game.parse_position(&answer.answer.root.rated.position)?;
//! assert!(game.parse_move(&position, &answer.answer.moves[0].mv).is_ok());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod batch;
mod error;
mod fetch;
mod games;
mod info;
mod learn;
mod line;
mod map;
mod position;
mod questions;
mod reproduce;
#[cfg(feature = "schema")]
mod schema;
mod site;
mod study;
mod tables;
mod version;

pub use batch::{BatchAnswer, BatchError};
pub use error::{ErrorAnswer, ErrorKind, ErrorObject};
pub use fetch::{FetchAnswer, FetchOrigin, FetchState, FetchedList, FetchedTable};
pub use games::{
    FamilyAnswer, GameAnswer, GamesAnswer, NoRuleSetAnswer, OpeningAnswer, RuleSetAnswer,
    RulesAnswer,
};
pub use info::{
    DirectoryAnswer, FileAnswer, IndexAnswer, LayerFiles, LooseFile, ManifestAnswer, PackingAnswer,
    RegionAnswer, RunAnswer, SetOfTables, TotalAnswer, TotalBytes,
};
pub use learn::{
    ArenaAnswer, CountsAnswer, CountsByMoves, CountsByPlies, GradeAnswer, IterationAnswer,
    LearnAnswer, ModelAnswer, PerfectGamesAnswer, PlayerAnswer, WrongMove,
};
pub use line::{
    EndedBy, FuzzFactor, GameResult, LineAnswer, LineEnd, MatchAnswer, PlayedLineAnswer, PlayedPly,
    Player, RecordAnswer,
};
pub use map::Map;
pub use position::{
    ExportAnswer, LineError, MoveAnswer, Ply, PositionAnswer, ProbeAnswer, RatedPosition,
    outcome_name, plies,
};
pub use questions::{
    CensusAnswer, CensusPart, CensusSide, CensusValues, CountAnswer, FoxBoxAnswer, FoxBoxPly,
    FuzzAnswer, FuzzColumn, FuzzMove, FuzzMovesAnswer, FuzzRow, GamesCounted, HardestAnswer,
    LayerCensus, LayerHardest, LayerZugzwangs, LongestAnswer, LongestExample, MaxBAnswer,
    OppositeAnswer, PolicyAnswer, PolicyMove, StartValue, ZugzwangAnswer, ZugzwangKind,
    ZugzwangKindAnswer,
};
pub use reproduce::{
    AsideAnswer, DocumentAnswer, LearnerFigureAnswer, LearnerRunsAnswer, ReproduceAnswer, RowAnswer,
};
#[cfg(feature = "schema")]
pub use schema::schema;
pub use site::{SetOnSite, SiteAnswer};
pub use study::{
    ChanceRow, ChancesAnswer, EndCount, EvenChance, IdleKind, IdlePlace, IdleRuleAnswer,
    StudiedOpening, StudyAnswer, SurveyAnswer, SurveySide,
};
pub use tables::{
    ComparedAnswer, LayerAnswer, LayerBytes, LongestWins, Need, PackAnswer, PackedTable,
    PlanAnswer, PlannedLayer, PlannedTraffic, PositionCounts, SetAnswer, SetError, SetsAnswer,
    SolveAnswer, SolvedLayer, StatsAnswer, TableRun, VerifiedTable, VerifyAnswer, longest_wins,
    position_counts,
};
pub use version::{Version, Versioned};
