//! `SHA256SUMS`: the list of checksums that `sha256sum` writes and checks.

use std::collections::BTreeMap;
use std::path::Path;

use super::list::read_list;
use crate::error::{Defect, ListDefect, TableError};

/// SHA-256 checksums of the files of a directory.
///
/// ```
/// use anser_table::manifest::Sums;
/// let digest = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
/// let sums = Sums::parse(format!("{digest}  ./empty\n").as_bytes())?;
/// assert_eq!(sums.get("empty"), Some(digest));
/// # Ok::<(), anser_table::Defect>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sums(BTreeMap<String, String>);

impl Sums {
    /// The name of the list in a directory.
    pub const NAME: &str = "SHA256SUMS";

    /// Reads the list of a directory; `None` if it has none.
    ///
    /// # Errors
    /// If the file cannot be read, or [`Defect::Sums`] if it is not a list of checksums.
    pub fn load(dir: &Path) -> Result<Option<Sums>, TableError> {
        read_list(&dir.join(Sums::NAME), Sums::parse)
    }

    /// Parses a list. Each line has 64 hexadecimal digits, a space, a space or an asterisk, and a
    /// file name.
    ///
    /// # Errors
    /// [`Defect::Sums`] with the first line that differs.
    pub fn parse(bytes: &[u8]) -> Result<Sums, Defect> {
        let text = std::str::from_utf8(bytes).map_err(|_| Defect::Sums(ListDefect::Encoding))?;
        let mut files = BTreeMap::new();
        for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.is_empty()) {
            let parsed = line.split_at_checked(64).and_then(|(digest, name)| {
                let name = name.strip_prefix("  ").or_else(|| name.strip_prefix(" *"))?;
                let name = name.strip_prefix("./").unwrap_or(name);
                let is_digest = digest.bytes().all(|byte| byte.is_ascii_hexdigit());
                (is_digest && !name.is_empty())
                    .then(|| (name.to_owned(), digest.to_ascii_lowercase()))
            });
            let (name, digest) = parsed.ok_or(Defect::Sums(ListDefect::Line(number + 1)))?;
            files.insert(name, digest);
        }
        Ok(Sums(files))
    }

    /// Returns the SHA-256 of a file in lower-case hexadecimal.
    pub fn get(&self, file: &str) -> Option<&str> {
        self.0.get(file).map(String::as_str)
    }

    /// Returns the files and their SHA-256, in the order of the names.
    pub fn files(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(file, digest)| (file.as_str(), digest.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_other_shapes_are_refused_with_their_line() {
        let digest = "0123456789abcdef".repeat(4);
        let good = format!("{digest}  a\n{} *b\n\n{digest}  ./c d\n", digest.to_uppercase());
        let sums = Sums::parse(good.as_bytes()).expect("a list");
        assert_eq!(sums.files().map(|(file, _)| file).collect::<Vec<_>>(), ["a", "b", "c d"]);
        assert_eq!(sums.get("b"), Some(&*digest));
        let wrong = [
            "x".to_owned(),
            format!("{digest} a"),
            format!("{digest}  "),
            format!("{}g  a", &digest[1..]),
            format!("\\{digest}  a"),
            format!("{}é  a", &digest[1..]),
        ];
        for wrong in wrong {
            let error = Sums::parse(format!("{digest}  a\n{wrong}").as_bytes()).expect_err(&wrong);
            assert!(error.to_string().contains("line 2"), "{error}");
        }
        assert!(Sums::parse(b"\xff").is_err());
    }
}
