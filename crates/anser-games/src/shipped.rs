//! The games that are part of this crate as files: descriptions in `games`.

use std::fmt;
use std::path::Path;
use std::sync::OnceLock;

use crate::file::entry;
use crate::info::GameInfo;

/// A file of this program that describes a game.
pub(crate) struct Shipped {
    name: &'static str,
    text: &'static str,
    info: OnceLock<GameInfo>,
}

/// Embeds files of the directory `games` beside `src`.
macro_rules! embed {
    ($($name:literal,)*) => {
        [$(Shipped {
            name: $name,
            text: include_str!(concat!("../games/", $name, ".toml")),
            info: OnceLock::new(),
        }),*]
    };
}

/// All of them.
pub(crate) static GAMES: [Shipped; 41] = embed![
    "bagh-chal",
    "adugo",
    "aadu-puli",
    "cercar-la-liebre",
    "kaooa",
    "thy",
    "vendsyssel",
    "haretavl",
    "jeu-militaire",
    "pulijudamu",
    "hat-diviyan",
    "huli-mane",
    "bam-blang",
    "neg-tugal",
    "ludus-coriovalli",
    "janes-soppi",
    "mysore-tiger",
    "coyote",
    "el-cazador",
    "orissa-one-tiger",
    "yaguarete-kora",
    "la-yagua",
    "mysore-three-tigers",
    "main-tapak-empat",
    "kulaochal",
    "ko-app-paw-na",
    "fox-geese-placed",
    "refskak",
    "musinaykahwhanmetowaywin",
    "renard-et-poule",
    "jeu-de-renard",
    "wolf-and-sheep",
    "hyvn-aetter-hare",
    "uxrijn-ever",
    "gioco-dell-orso",
    "to-kinegi",
    "komikan",
    "juroku-musashi",
    "merimueng-rimueng-do",
    "orissa-four-tigers",
    "asalto",
];

impl Shipped {
    /// Returns the name of the game, which is that of its file.
    pub(crate) fn name(&self) -> &'static str {
        self.name
    }

    /// Returns what the file says. It is read once in a process, and only if it is asked for: a
    /// start of the command line needs one game.
    pub(crate) fn info(&self) -> &GameInfo {
        self.info.get_or_init(|| {
            let path = format!("(built into anser)/{}.toml", self.name);
            entry::shipped(Path::new(&path), self.text)
                .unwrap_or_else(|error| unreachable!("a test reads every file: {error}"))
        })
    }
}

impl fmt::Debug for Shipped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Shipped").field(&self.name).finish()
    }
}
