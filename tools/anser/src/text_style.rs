//! Style of text on standard output: colors, characters beyond ASCII, and the width of lines.

use std::env;
use std::sync::OnceLock;

use anser_core::Side;
use console::{Style, Term};

/// Style of the text of an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TextStyle {
    /// Whether colors are shown: on a terminal that has them, unless `NO_COLOR` is set; everywhere
    /// with `CLICOLOR_FORCE`.
    pub(crate) color: bool,
    /// Whether lines and bars may use characters beyond ASCII.
    pub(crate) unicode: bool,
    /// Characters per line, if limited.
    pub(crate) width: Option<usize>,
}

/// Environment variables that name the locale, in order of precedence.
const LOCALE: [&str; 3] = ["LC_ALL", "LC_CTYPE", "LANG"];

/// Smallest width that output is made to fit.
const NARROWEST: usize = 40;

static STYLE: OnceLock<TextStyle> = OnceLock::new();

/// Detects the style of standard output; `ascii` restricts it to ASCII. Only the first call has an
/// effect.
pub(crate) fn detect(ascii: bool) {
    STYLE.get_or_init(|| TextStyle::detect(ascii));
}

/// Style of standard output.
pub(crate) fn text_style() -> TextStyle {
    *STYLE.get_or_init(|| TextStyle::detect(false))
}

impl TextStyle {
    /// Style of a pipe or a file.
    #[cfg(test)]
    pub(crate) const PLAIN: TextStyle = TextStyle { color: false, unicode: true, width: None };

    fn detect(ascii: bool) -> TextStyle {
        let columns = env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
        let terminal = || Term::stdout().size_checked().map(|(_, columns)| usize::from(columns));
        TextStyle {
            color: console::colors_enabled()
                && env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()),
            unicode: !ascii && shows_unicode(|name| env::var(name).ok()),
            width: columns
                .or_else(terminal)
                .filter(|&columns| columns > 0)
                .map(|columns| columns.max(NARROWEST)),
        }
    }

    /// Returns `usual`, or the characters per line if they are fewer.
    pub(crate) fn at_most(self, usual: usize) -> usize {
        self.width.map_or(usual, |width| width.min(usual))
    }

    /// Color of a side, or of draws, in plots and on boards: the terminal color, of 256, closest to
    /// that of SVG plots.
    pub(crate) fn color_of(side: Option<Side>) -> u8 {
        match side {
            Some(Side::First) => 166,
            Some(Side::Second) => 32,
            None => 245,
        }
    }

    /// Colors a text for a side, or gray for a draw, if colors are shown.
    pub(crate) fn of_side(self, side: Option<Side>, text: &str) -> String {
        self.styled(Style::new().color256(TextStyle::color_of(side)), text)
    }

    /// Dims a text, if colors are shown.
    pub(crate) fn dim(self, text: &str) -> String {
        self.styled(Style::new().dim(), text)
    }

    fn styled(self, style: Style, text: &str) -> String {
        if !self.color || text.is_empty() {
            return text.to_owned();
        }
        style.force_styling(true).apply_to(text).to_string()
    }
}

/// Whether terminal and locale have characters beyond ASCII; assumed if no locale is set.
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
    fn ascii_is_for_dumb_terminals_and_for_locales_without_utf_8() {
        let shows = |variables: &[(&str, &str)]| {
            shows_unicode(|name| {
                variables.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned())
            })
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
        assert_eq!(TextStyle::PLAIN.at_most(90), 90);
        assert_eq!(TextStyle { width: Some(50), ..TextStyle::PLAIN }.at_most(90), 50);
        assert_eq!(TextStyle { width: Some(200), ..TextStyle::PLAIN }.at_most(90), 90);
    }
}
