//! Processes that MPI started together.

use crate::failure::Failure;

/// Variables that have the number of processes, by what started them: Open MPI, libraries with PMI
/// such as MPICH, and Slurm.
const SIZES: [&str; 3] = ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"];

/// Returns the number of processes that were started together with this one, if it was started by
/// MPI.
fn started_together() -> Option<usize> {
    SIZES.iter().find_map(|name| std::env::var(name).ok()?.parse().ok())
}

/// Joins the processes that were started together with this one, if there are any.
#[cfg(feature = "cluster")]
pub(crate) fn join() -> Result<Option<anser_cluster::Session>, Failure> {
    let Some(ranks) = started_together().filter(|&ranks| ranks > 1) else { return Ok(None) };
    let session = anser_cluster::Session::start()
        .map_err(|error| Failure::io(format_args!("MPI cannot be used: {error}")))?;
    let found = session.cluster().size();
    if found != ranks {
        let message = format_args!("{ranks} processes were started, and MPI knows of {found}");
        let start = "start them with mpirun of the same MPI library, or with `srun --mpi=pmix`";
        return Err(Failure::usage(message).advice(start));
    }
    Ok(Some(session))
}

/// Fails if several processes were started together: this program cannot divide work among them.
#[cfg(not(feature = "cluster"))]
pub(crate) fn join() -> Result<Option<std::convert::Infallible>, Failure> {
    match started_together() {
        Some(ranks) if ranks > 1 => {
            let message = format_args!("{ranks} processes were started, and this anser lacks MPI");
            let build = "`cargo build --release -p anser --features cluster` builds it with MPI";
            Err(Failure::usage(message).advice(build))
        }
        _ => Ok(None),
    }
}
