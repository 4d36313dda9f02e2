//! Accepts connections, within bounds of number and time.

use std::io;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::Router;
use futures_util::future::{Either, select};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::{Instant, Sleep, sleep};
use tower_http::add_extension::AddExtension;

use crate::app::App;
use crate::clients::{Client, Shares};
use crate::problem::Problem;

/// Length of the longest head of a request, in bytes.
const LONGEST_HEAD: usize = 16 << 10;

/// Number of headers of a request.
const MOST_HEADERS: usize = 64;

/// Time for open requests when the server stops.
const FAREWELL: Duration = Duration::from_secs(10);

/// Serves until `stop` completes, and then until open requests are answered.
pub(crate) async fn serve(
    listener: TcpListener,
    app: Arc<App>,
    router: Router,
    stop: impl Future<Output = ()>,
) {
    let limits = app.store.options.limits;
    let room = Arc::new(Semaphore::new(limits.connections));
    // All connections of a proxy have one address.
    let is_behind_proxy = app.store.options.trusted_header.is_some();
    let shares = Shares::new(if is_behind_proxy { usize::MAX } else { limits.client_connections });
    let graceful = GracefulShutdown::new();
    let mut stop = pin!(stop);
    loop {
        let (stream, client) = match select(stop.as_mut(), pin!(listener.accept())).await {
            Either::Left(_) => break,
            Either::Right((Ok((stream, address)), _)) => (stream, Client::from(address.ip())),
            Either::Right((Err(_), _)) => {
                // Too many open files, or a connection that ended at once.
                sleep(Duration::from_millis(20)).await;
                continue;
            }
        };
        let permit = match (shares.take(client), room.clone().try_acquire_owned()) {
            (Some(share), Ok(permit)) => (share, permit),
            (share, _) => {
                app.metrics.refused.add(1);
                let problem = if share.is_none() {
                    Problem::too_many(format!(
                        "{} connections from your address are open",
                        shares.most
                    ))
                } else {
                    Problem::busy(format!("{} connections are open", limits.connections))
                };
                // A new connection has room for these bytes.
                let _ = stream.try_write(&problem.farewell());
                continue;
            }
        };
        let _ = stream.set_nodelay(true);
        let io = TokioIo::new(Unstalled::new(stream, limits.stall));
        let mut http = http1::Builder::new();
        http.timer(TokioTimer::new())
            // A client that has sent all is still answered.
            .half_close(true)
            .header_read_timeout(limits.head)
            .max_buf_size(LONGEST_HEAD)
            .max_headers(MOST_HEADERS);
        let service = TowerToHyperService::new(AddExtension::new(router.clone(), client));
        let connection = graceful.watch(http.serve_connection(io, service));
        let app = app.clone();
        app.metrics.connections.add(1);
        tokio::spawn(async move {
            // Errors of a connection concern its client alone.
            let _ = connection.await;
            app.metrics.connections.subtract(1);
            drop(permit);
        });
    }
    drop(listener);
    let _ = tokio::time::timeout(FAREWELL, graceful.shutdown()).await;
    app.tasks.stop();
}

/// A connection that fails if its client accepts no byte for too long.
struct Unstalled {
    stream: TcpStream,
    limit: Duration,
    /// Set while a write waits.
    waiting: Option<Pin<Box<Sleep>>>,
}

impl Unstalled {
    fn new(stream: TcpStream, limit: Duration) -> Unstalled {
        Unstalled { stream, limit, waiting: None }
    }

    /// Fails a write that waits for too long.
    fn bound<T>(
        &mut self,
        context: &mut Context<'_>,
        written: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.waiting = None;
            return written;
        }
        let limit = self.limit;
        let waiting = self
            .waiting
            .get_or_insert_with(|| Box::pin(tokio::time::sleep_until(Instant::now() + limit)));
        ready!(waiting.as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for Unstalled {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Unstalled {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.bound(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffers: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, buffers);
        self.bound(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
