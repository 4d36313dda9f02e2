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
