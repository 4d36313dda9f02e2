//! Writing to the disk while the caller goes on.

use std::fs::File;
use std::io;
use std::sync::mpsc::{SyncSender, sync_channel};

use crate::system::threads::Background;

/// A thread that syncs one file whenever it is asked to.
///
/// A file of gigabytes that is only synced when it is complete keeps all threads waiting for the
/// disk. Most of it can be on the disk by then.
#[derive(Debug)]
pub(crate) struct Syncer {
    requests: SyncSender<()>,
    /// Ends with the requests, so it is dropped after them: it would keep a removed file on the
    /// disk. Nothing is synced early if the system gave no second handle or no thread.
    thread: Background<io::Result<()>>,
}

impl Syncer {
    pub(crate) fn start(file: &File) -> Syncer {
        // One request may wait while another is served; it covers all that come later.
        let (requests, received) = sync_channel(1);
        let start = |file: File| {
            Background::start("sync", move || {
                received.into_iter().try_for_each(|()| file.sync_data())
            })
        };
        Syncer { requests, thread: file.try_clone().map_or(Background(None), start) }
    }

    /// Has everything that was written so far synced, while the caller goes on.
    pub(crate) fn request(&self) {
        // Refused if a request is waiting, or after an error, which `finish` returns.
        let _ = self.requests.try_send(());
    }

    /// Waits for the last request. What was written after it is not synced.
    ///
    /// # Errors
    /// The first error of the disk, which later syncs of the file may not report again.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        drop(self.requests);
        self.thread.finish().unwrap_or(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Seek, Write};

    use super::*;

    #[test]
    fn requests_are_served_beside_writing() {
        let mut file = tempfile::tempfile().unwrap();
        let syncer = Syncer::start(&file);
        assert!(syncer.thread.0.is_some());
        for number in 0..100_u8 {
            file.write_all(&[number; 1000]).unwrap();
            syncer.request();
        }
        syncer.finish().unwrap();
        file.rewind().unwrap();
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).unwrap();
        assert!(bytes.into_iter().eq((0..100_u8).flat_map(|number| [number; 1000])));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn an_error_ends_requests_and_is_returned() {
        // A pipe cannot be synced.
        let (_reader, writer) = std::io::pipe().unwrap();
        let syncer = Syncer::start(&File::from(std::os::fd::OwnedFd::from(writer)));
        syncer.request();
        while syncer.thread.0.as_ref().is_some_and(|thread| !thread.is_finished()) {
            std::thread::yield_now();
        }
        syncer.request();
        assert!(syncer.finish().is_err());
    }
}
