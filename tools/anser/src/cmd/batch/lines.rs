//! Lines of a file or pipe, read ahead by a separate thread.

use std::io::{self, Read};
use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, sync_channel};
use std::thread;

use memchr::{memchr, memrchr};

/// Bytes read at a time: some thousands of lines.
const READ: usize = 1 << 18;

/// Maximal number of blocks read ahead.
const AHEAD: usize = 16;

/// Whole lines with their line ends, which the last line of the input may lack.
type Block = io::Result<Vec<u8>>;

/// Lines of an input.
pub(super) struct Lines {
    blocks: Receiver<Block>,
}

impl Lines {
    /// Starts reading. Lines longer than `longest` bytes are truncated to a length that still
    /// exceeds `longest`.
    pub(super) fn of(input: impl Read + Send + 'static, longest: usize) -> io::Result<Lines> {
        let (send, blocks) = sync_channel(AHEAD);
        // The thread is not joined, because it may wait for input forever.
        thread::Builder::new()
            .name("batch input".into())
            .spawn(move || read(input, longest, &send))?;
        Ok(Lines { blocks })
    }

    /// Returns the blocks read so far, or `None` if there are none yet. An empty list is the end of
    /// the input.
    pub(super) fn ready(&self) -> Option<io::Result<Vec<Vec<u8>>>> {
        match self.blocks.try_recv() {
            Ok(first) => Some(self.with_more(first)),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => Some(Ok(Vec::new())),
        }
    }

    /// Waits for at least one block. An empty list is the end of the input.
    pub(super) fn next(&self) -> io::Result<Vec<Vec<u8>>> {
        self.blocks.recv().map_or(Ok(Vec::new()), |first| self.with_more(first))
    }

    /// Returns a block and those read after it, at most [`AHEAD`] in total.
    fn with_more(&self, first: Block) -> io::Result<Vec<Vec<u8>>> {
        let mut blocks = vec![first?];
        while blocks.len() < AHEAD {
            match self.blocks.try_recv() {
                Ok(block) => blocks.push(block?),
                Err(_) => break,
            }
        }
        Ok(blocks)
    }
}

fn read(mut input: impl Read, longest: usize, send: &SyncSender<Block>) {
    let (mut buffer, mut begun) = (vec![0; READ], Vec::new());
    loop {
        let block = match input.read(&mut buffer) {
            Ok(0) if begun.is_empty() => return,
            Ok(0) => Ok(std::mem::take(&mut begun)),
            Ok(length) => {
                let Some(block) = whole_lines(&mut begun, &buffer[..length], longest) else {
                    continue;
                };
                Ok(block)
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => Err(error),
        };
        let is_end = block.is_err();
        // The receiver is gone if the answers could not be written.
        if send.send(block).is_err() || is_end {
            return;
        }
    }
}

/// Returns the lines that end in `bytes`, the first of which continues `begun`. Moves the start of
/// an unfinished line to `begun`.
fn whole_lines(begun: &mut Vec<u8>, bytes: &[u8], longest: usize) -> Option<Vec<u8>> {
    let remaining = |begun: &Vec<u8>| (longest + 1).saturating_sub(begun.len());
    let Some(end) = memrchr(b'\n', bytes) else {
        begun.extend_from_slice(&bytes[..bytes.len().min(remaining(begun))]);
        return None;
    };
    let is_cut = remaining(begun) == 0;
    let mut block = std::mem::take(begun);
    // Skips the rest of a truncated line.
    let from = if is_cut { memchr(b'\n', bytes).unwrap_or(0) } else { 0 };
    block.extend_from_slice(&bytes[from..=end]);
    let rest = &bytes[end + 1..];
    begun.extend_from_slice(&rest[..rest.len().min(longest + 1)]);
    Some(block)
}

/// Lines of a block, without their line ends.
pub(super) fn split(block: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = Some(block).filter(|block| !block.is_empty());
    std::iter::from_fn(move || {
        let block = rest?;
        let line = match memchr(b'\n', block) {
            None => {
                rest = None;
                block
            }
            Some(end) => {
                rest = Some(&block[end + 1..]).filter(|rest| !rest.is_empty());
                &block[..end]
            }
        };
        Some(line.strip_suffix(b"\r").unwrap_or(line))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reader that returns a few bytes at a time.
    struct SlowReader(Vec<u8>, usize);

    impl Read for SlowReader {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let length = self.1.min(self.0.len()).min(buffer.len());
            buffer[..length].copy_from_slice(&self.0[..length]);
            self.0.drain(..length);
            Ok(length)
        }
    }

    fn lines(input: &[u8], at_once: usize) -> Vec<Vec<u8>> {
        let lines =
            Lines::of(SlowReader(input.to_vec(), at_once), 10).expect("a thread can be started");
        let mut all = Vec::new();
        loop {
            let blocks = lines.next().expect("memory can be read");
            if blocks.is_empty() {
                return all;
            }
            all.extend(blocks.iter().flat_map(|block| split(block)).map(<[u8]>::to_vec));
        }
    }

    #[test]
    fn lines_span_reads_and_long_ones_are_truncated() {
        for at_once in [1, 2, 3, 7, 1000] {
            assert_eq!(lines(b"", at_once), Vec::<Vec<u8>>::new());
            assert_eq!(lines(b"a\r\n\nb", at_once), [&b"a"[..], b"", b"b"]);
            assert_eq!(lines(b"\n", at_once), [b""]);
            let long = [vec![b'x'; 500], b"\ny\n".to_vec(), vec![b'z'; 500]].concat();
            let found = lines(&long, at_once);
            assert_eq!(found.len(), 3);
            assert!(found[0].len() > 10 && found[0].iter().all(|&byte| byte == b'x'), "{at_once}");
            assert_eq!(found[1], b"y");
            assert!(found[2].len() > 10, "{at_once}");
        }
    }
}
