//! Writing to the disk while the caller goes on.

use std::fs::File;
use std::io;
use std::panic::resume_unwind;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::{self, Builder, JoinHandle};

use crate::system::threads::has_space_for;

/// A thread that syncs one file whenever it is asked to.
///
/// A file of gigabytes that is only synced when it is complete keeps all threads waiting for the
/// disk. Most of it can be on the disk by then.
#[derive(Debug)]
pub(crate) struct Syncer {
    /// `None` when there will be no more requests.
    requests: Option<SyncSender<()>>,
    /// `None` if the system gave no second handle or no thread. Then nothing is synced early.
    thread: Option<JoinHandle<io::Result<()>>>,
}

impl Syncer {
    pub(crate) fn start(file: &File) -> Syncer {
        // One request may wait while another is served; it covers all that come later.
        let (requests, received) = sync_channel(1);
        let start = |file: File| {
            let work = move || received.into_iter().try_for_each(|()| file.sync_data());
            Builder::new().name("sync".into()).spawn(work).ok()
        };
        let file = file.try_clone().ok().filter(|_| has_space_for(1));
        Syncer { requests: Some(requests), thread: file.and_then(start) }
    }

    /// Has everything that was written so far synced, while the caller goes on.
    pub(crate) fn request(&self) {
        // Refused if a request is waiting, or after an error, which `finish` returns.
        let _ = self.requests.as_ref().map(|requests| requests.try_send(()));
    }

    /// Waits for the last request. What was written after it is not synced.
    ///
    /// # Errors
    /// The first error of the disk, which later syncs of the file may not report again.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.join().map_or(Ok(()), |synced| synced.unwrap_or_else(|panic| resume_unwind(panic)))
    }

    fn join(&mut self) -> Option<thread::Result<io::Result<()>>> {
        self.requests = None;
        self.thread.take().map(JoinHandle::join)
    }
}

impl Drop for Syncer {
    /// Waits for the last request. The thread would keep a removed file on the disk.
    fn drop(&mut self) {
        // An unfinished file is dropped after another error.
        let _ = self.join();
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
        assert!(syncer.thread.is_some());
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
        while syncer.thread.as_ref().is_some_and(|thread| !thread.is_finished()) {
            std::thread::yield_now();
        }
        syncer.request();
        assert!(syncer.finish().is_err());
    }
}
