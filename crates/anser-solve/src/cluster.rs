//! Ranks: processes that solve a layer together.

/// The processes of a run, as one of them sees them. They are numbered from 0 by *rank*.
///
/// All ranks make the same calls in the same order, each of them from one thread at a time. A call
/// that another process cannot answer, because it has ended, ends this one.
///
/// Implemented by MPI in `anser-cluster`, and by threads of one process in the tests.
pub trait Cluster: Send + Sync {
    /// Returns the number of this process.
    fn rank(&self) -> usize;

    /// Returns the number of processes.
    fn size(&self) -> usize;

    /// Returns the number of processes on the machine of this one, itself included.
    fn size_here(&self) -> usize;

    /// Returns the words of all ranks, one rank after the other. All pass the same number of words.
    fn gather(&self, words: &[u64]) -> Vec<u64>;

    /// Replaces `bytes` by those of rank 0.
    fn broadcast(&self, bytes: &mut Vec<u8>);

    /// Sends bytes to other ranks, and fills those that are received. There is at most one message
    /// from each rank to each other; both name it, with the same length. Calls `meanwhile` while
    /// the messages are on their way.
    fn exchange(
        &self,
        send: &[(usize, &[u8])],
        receive: &mut [(usize, &mut [u8])],
        meanwhile: &mut dyn FnMut(),
    );

    /// Returns whether a checkpoint was requested since the last call.
    fn wants_checkpoint(&self) -> bool {
        false
    }
}
