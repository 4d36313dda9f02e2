//! What standard output can show: colors, characters beyond ASCII, and how many characters fit on a line.

use std::env;
use std::sync::OnceLock;

use anser_core::Side;
use console::{Style, Term};

/// How answers are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Look {
    /// Whether colors are shown: on a terminal that has them, unless `NO_COLOR` is set; anywhere with `CLICOLOR_FORCE`.
    pub(crate) color: bool,
    /// Whether lines and bars may use characters beyond ASCII.
    pub(crate) unicode: bool,
    /// The characters on a line, if there is a limit.
    pub(crate) width: Option<usize>,
}

/// The environment variables that name the locale, the one that counts first.
const LOCALE: [&str; 3] = ["LC_ALL", "LC_CTYPE", "LANG"];

/// The narrowest line that anything is made to fit.
const NARROWEST: usize = 40;

static LOOK: OnceLock<Look> = OnceLock::new();

/// How standard output is drawn to; `ascii` is whether the command line asks for ASCII. Later calls change nothing.
pub(crate) fn decide(ascii: bool) {
    LOOK.get_or_init(|| Look::detect(ascii));
}

/// How standard output is drawn to.
pub(crate) fn look() -> Look {
    *LOOK.get_or_init(|| Look::detect(false))
}

impl Look {
    /// What is written to a pipe or a file.
    #[cfg(test)]
    pub(crate) const PLAIN: Look = Look { color: false, unicode: true, width: None };

    fn detect(ascii: bool) -> Look {
        let columns = env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
        let terminal = || Term::stdout().size_checked().map(|(_, columns)| usize::from(columns));
        Look {
            color: console::colors_enabled() && env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()),
            unicode: !ascii && shows_unicode(|name| env::var(name).ok()),
            width: columns.or_else(terminal).filter(|&columns| columns > 0).map(|columns| columns.max(NARROWEST)),
        }
    }

    /// Whether boards are drawn with lines and colors.
    pub(crate) fn is_rich(self) -> bool {
        self.color && self.unicode
    }

    /// `usual` characters on a line, or fewer where fewer fit.
    pub(crate) fn at_most(self, usual: usize) -> usize {
        self.width.map_or(usual, |width| width.min(usual))
    }

    /// The color of a side, the same in every plot and on every board, and of draws: of the 256 colors that terminals have the
    /// one closest to that of plots in files.
    pub(crate) fn color_of(side: Option<Side>) -> u8 {
        match side {
            Some(Side::First) => 166,
            Some(Side::Second) => 32,
            None => 245,
        }
    }

    /// A text in the color of a side, gray for a draw, if colors are shown.
    pub(crate) fn of_side(self, side: Option<Side>, text: &str) -> String {
        if !self.color || text.is_empty() {
            return text.to_owned();
        }
        Style::new().color256(Look::color_of(side)).force_styling(true).apply_to(text).to_string()
    }

    /// A text that stands back, if colors are shown.
    pub(crate) fn dim(self, text: &str) -> String {
        if !self.color || text.is_empty() {
            return text.to_owned();
        }
        Style::new().dim().force_styling(true).apply_to(text).to_string()
    }
}

/// Whether the terminal and the locale have characters beyond ASCII. Without a locale they are taken to have.
fn shows_unicode(variable: impl Fn(&str) -> Option<String>) -> bool {
    if variable("TERM").as_deref() == Some("dumb") {
        return false;
    }
    let locale = LOCALE.iter().find_map(|name| variable(name).filter(|value| !value.is_empty()));
    locale.is_none_or(|locale| {
        let locale = locale.to_ascii_lowercase();
        locale.contains("utf-8") || locale.contains("utf8")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ascii_is_for_dumb_terminals_and_for_locales_without_more() {
        let shows = |variables: &[(&str, &str)]| {
            shows_unicode(|name| variables.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned()))
        };
        assert!(shows(&[]));
        assert!(shows(&[("TERM", "xterm-256color"), ("LANG", "de_DE.UTF-8")]));
        assert!(shows(&[("LC_ALL", ""), ("LC_CTYPE", "C.utf8"), ("LANG", "C")]));
        assert!(!shows(&[("TERM", "dumb"), ("LANG", "de_DE.UTF-8")]));
        assert!(!shows(&[("LC_ALL", "C"), ("LANG", "de_DE.UTF-8")]));
        assert!(!shows(&[("LANG", "de_DE.ISO-8859-1")]));
    }

    #[test]
    fn a_narrow_terminal_is_respected_and_a_wide_one_changes_nothing() {
        assert_eq!(Look::PLAIN.at_most(90), 90);
        assert_eq!(Look { width: Some(50), ..Look::PLAIN }.at_most(90), 50);
        assert_eq!(Look { width: Some(200), ..Look::PLAIN }.at_most(90), 90);
    }
}
