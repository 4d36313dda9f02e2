//! Quoting of paths for a shell.

use std::path::Path;

/// Quotes a path as one word of a shell command.
///
/// A path with control characters or bytes that are not UTF-8 becomes `$'\xff'`, which bash, zsh,
/// ksh, and POSIX 2024 shells accept.
pub fn shell_word(path: &Path) -> String {
    let bytes = path.as_os_str().as_encoded_bytes();
    let text = std::str::from_utf8(bytes).ok().filter(|text| !text.contains(char::is_control));
    let Some(text) = text else { return escaped_word(bytes) };
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+:@%,=".contains(c);
    // A leading hyphen would make the word an option.
    if text.starts_with('-') {
        return shell_word(&Path::new(".").join(path));
    }
    if !text.is_empty() && text.chars().all(is_plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

/// Quotes a word as `$'...'`.
fn escaped_word(bytes: &[u8]) -> String {
    let mut word = String::from(if bytes.starts_with(b"-") { "$'./" } else { "$'" });
    for &byte in bytes {
        match byte {
            b'\'' | b'\\' => word.extend(['\\', char::from(byte)]),
            b' '..=b'~' => word.push(char::from(byte)),
            // Two digits, so that a digit that follows does not belong to the escape.
            _ => word.extend(format!("\\x{byte:02x}").chars()),
        }
    }
    word.push('\'');
    word
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_paths_are_not_quoted() {
        assert_eq!(shell_word(Path::new("big/tables")), "big/tables");
        assert_eq!(shell_word(Path::new("it's here")), r"'it'\''s here'");
        assert_eq!(shell_word(Path::new("a\nb")), r"$'a\x0ab'");
    }

    #[test]
    #[cfg(unix)]
    fn a_shell_reads_the_original_path() {
        use std::os::unix::ffi::{OsStrExt, OsStringExt};

        let paths: [&[u8]; 9] = [
            b"tables",
            b"with space",
            b"it's",
            b"-rf",
            b"\xff\xfe",
            b"a\xffb c'd\\e1",
            b"\x1b[31mred",
            b"-\xff",
            b"$(x) `y` \"z\" ~ * ! \xc3\xa9",
        ];
        for path in paths {
            let word = shell_word(Path::new(std::ffi::OsStr::from_bytes(path)));
            assert!(word.chars().all(|c| !c.is_control()), "{word:?}");
            let output = std::process::Command::new("bash")
                .args(["-c", &format!("printf %s {word}")])
                .output();
            let printed = std::ffi::OsString::from_vec(output.expect("bash runs").stdout);
            let relative =
                if path.starts_with(b"-") { [b"./", path].concat() } else { path.to_vec() };
            assert_eq!(printed.as_bytes(), relative, "{word}");
        }
    }
}
