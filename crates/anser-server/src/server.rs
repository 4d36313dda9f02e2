//! A server, and the handle that controls it from other threads.

use std::fmt;
use std::io;
use std::net::TcpListener;
use std::sync::Arc;
use std::thread::JoinHandle;

use anser_games::Registry;
use anser_table::TableError;
use tokio::runtime::Builder;
use tokio::sync::watch;

use crate::app::App;
use crate::connections;
use crate::http::router;
use crate::options::Options;
use crate::solving::Solver;

/// Serves the values of games over HTTP.
#[derive(Debug)]
pub struct Server(Handle);

/// Controls a [`Server`] from other threads.
#[derive(Clone)]
pub struct Handle {
    app: Arc<App>,
    stop: watch::Sender<bool>,
}

impl Server {
    /// Lists the tables of `options.path`. They are opened when they are first needed. Games with
    /// [`RESERVED_NAMES`](crate::RESERVED_NAMES) have no page.
    ///
    /// # Errors
    /// If a directory of tables cannot be read.
    pub fn new(registry: Registry, options: &Options) -> Result<Server, TableError> {
        let app = Arc::new(App::new(registry, options, None)?);
        Ok(Server(Handle { app, stop: watch::Sender::new(false) }))
    }

    /// A handle that controls the server while it runs.
    pub fn handle(&self) -> Handle {
        self.0.clone()
    }

    /// Serves the connections of `listener` until [`Handle::stop`] is called, and then until open
    /// requests are answered, for at most ten seconds.
    ///
    /// # Errors
    /// If threads cannot be started, or the listener cannot be used.
    pub fn run(self, listener: TcpListener) -> io::Result<()> {
        let Handle { app, stop } = self.0;
        let mut builder = Builder::new_multi_thread();
        if let Some(threads) = app.store.options.threads {
            builder.worker_threads(threads.max(1));
        }
        let runtime = builder
            .thread_name("anser-server")
            // One more for a task.
            .max_blocking_threads(app.store.options.limits.running.max(1) + 1)
            .enable_all()
            .build()?;
        listener.set_nonblocking(true)?;
        let mut stopped = stop.subscribe();
        let solving = app.solver.clone().map(Solving::start).transpose()?;
        let served = runtime.block_on(async move {
            let listener = tokio::net::TcpListener::from_std(listener)?;
            let router = router(app.clone());
            let stopped = async move {
                // The sender lives in `stop` until the end.
                let _ = stopped.wait_for(|stop| *stop).await;
            };
            connections::serve(listener, app, router, stopped).await;
            drop(stop);
            Ok(())
        });
        drop(solving);
        served
    }
}

/// The thread that solves missing layers; dropping this stops it and waits for its end.
struct Solving {
    solver: Arc<Solver>,
    thread: Option<JoinHandle<()>>,
}

impl Solving {
    fn start(solver: Arc<Solver>) -> io::Result<Solving> {
        let running = solver.clone();
        let builder = std::thread::Builder::new().name("anser-solving".into());
        let thread = Some(builder.spawn(move || running.run())?);
        Ok(Solving { solver, thread })
    }
}

impl Drop for Solving {
    fn drop(&mut self) {
        self.solver.stop();
        if let Some(thread) = self.thread.take() {
            // It catches the panics of its work.
            let _ = thread.join();
        }
    }
}

impl Handle {
    /// Stops the server. Open requests are answered before [`Server::run`] returns. A layer that is
    /// being solved is interrupted after a checkpoint.
    pub fn stop(&self) {
        self.app.solver.iter().for_each(|solver| solver.stop());
        self.stop.send_replace(true);
    }

    /// Lists the tables again, and opens them again when they are next needed, so that new and
    /// replaced tables are served.
    ///
    /// # Errors
    /// If a directory of tables cannot be read; then everything stays as it was.
    pub fn rescan(&self) -> Result<(), TableError> {
        self.app.store.rescan()?;
        self.app.solver.iter().for_each(|solver| solver.reconsider());
        Ok(())
    }
}

impl fmt::Debug for Handle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Handle").finish_non_exhaustive()
    }
}
