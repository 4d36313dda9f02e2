//! Errors as answers: `application/problem+json` (RFC 9457) around the error object that the
//! command line writes.

use std::error::Error as _;

use anser_core::NotationError;
use anser_games::answers::{ErrorAnswer, ErrorKind, ErrorObject, Version, Versioned};
use anser_games::{AnyError, Audience, NameError, ValueError, explain};
use anser_retrograde::AnalyseError;
use anser_table::{Defect, ErrorClass, TableError};
use axum::extract::rejection::QueryRejection;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::answers::ProblemAnswer;
use crate::task::Task;

/// Why there is no answer.
#[derive(Clone, Debug)]
pub(crate) struct Problem {
    pub(crate) status: StatusCode,
    pub(crate) error: ErrorObject,
    /// Seconds after which another attempt may succeed.
    retry_after: Option<u32>,
    /// Whether a table was replaced since it was opened.
    pub(crate) is_stale: bool,
    /// The work to be done before there is an answer.
    pub(crate) needs: Option<Box<Task>>,
}

/// Hint at the description of the endpoints.
pub(crate) const DESCRIBED: &str = "GET /openapi.json describes the endpoints and their parameters";

impl Problem {
    fn new(status: StatusCode, kind: ErrorKind, message: impl Into<String>) -> Problem {
        let error = ErrorObject::new(kind, message);
        Problem { status, error, retry_after: None, is_stale: false, needs: None }
    }

    pub(crate) fn usage(message: impl Into<String>) -> Problem {
        Problem::new(StatusCode::BAD_REQUEST, ErrorKind::Usage, message).hint(DESCRIBED)
    }

    pub(crate) fn missing(message: impl Into<String>) -> Problem {
        Problem::new(StatusCode::NOT_FOUND, ErrorKind::Missing, message)
    }

    pub(crate) fn internal(message: impl Into<String>) -> Problem {
        Problem::new(StatusCode::INTERNAL_SERVER_ERROR, ErrorKind::Io, message)
    }

    /// The server has no room for another request, or not in time.
    pub(crate) fn busy(message: impl Into<String>) -> Problem {
        let problem = Problem::new(StatusCode::SERVICE_UNAVAILABLE, ErrorKind::Io, message);
        Problem { retry_after: Some(1), ..problem }
            .hint("send the request again after the seconds that Retry-After names")
    }

    /// Another attempt may succeed after these seconds.
    pub(crate) fn after(self, seconds: u32) -> Problem {
        Problem { retry_after: Some(seconds), ..self }
    }

    /// A client takes more than its share.
    pub(crate) fn too_many(message: impl Into<String>) -> Problem {
        Problem::busy(message).status(StatusCode::TOO_MANY_REQUESTS)
    }

    /// Whether another attempt may succeed after a while.
    pub(crate) fn is_busy(&self) -> bool {
        self.retry_after.is_some()
    }

    /// There is an answer once a task is done.
    pub(crate) fn needs(task: Task) -> Problem {
        let problem = Problem::busy(format!("{} is being solved", task.game));
        Problem { needs: Some(Box::new(task)), ..problem }
    }

    /// The answer of work that panicked.
    pub(crate) fn defect() -> Problem {
        Problem::internal("the answer was not found because of a defect of the program")
            .hint("please report it")
    }

    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Problem {
        self.error.hint = Some(hint.into());
        self
    }

    pub(crate) fn status(self, status: StatusCode) -> Problem {
        Problem { status, ..self }
    }
}

impl Problem {
    /// The body of the answer.
    fn body(&self) -> Vec<u8> {
        let answer = ProblemAnswer {
            kind: "about:blank".into(),
            title: self.status.canonical_reason().unwrap_or("Error").into(),
            status: self.status.as_u16(),
            detail: self.error.message.clone(),
            error: ErrorAnswer { error: self.error.clone() },
        };
        serde_json::to_vec(&Versioned { schema: Version, answer }).unwrap_or_default()
    }

    /// The whole answer to a connection that is closed at once.
    pub(crate) fn farewell(&self) -> Vec<u8> {
        let body = self.body();
        let head = format!(
            "HTTP/1.1 {}\r\nRetry-After: {}\r\nContent-Type: application/problem+json\r\n\
             Content-Length: {}\r\nConnection: close\r\n\r\n",
            self.status,
            self.retry_after.unwrap_or(1),
            body.len()
        );
        [head.into_bytes(), body].concat()
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let body = self.body();
        let headers = [
            (header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json")),
            (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
        ];
        let mut response = (self.status, headers, body).into_response();
        if let Some(seconds) = self.retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, seconds.into());
        }
        response
    }
}

impl From<QueryRejection> for Problem {
    fn from(rejection: QueryRejection) -> Problem {
        let cause = rejection.source().map_or_else(|| rejection.body_text(), ToString::to_string);
        Problem::usage(format!("the query cannot be read: {cause}"))
    }
}

/// Conversions from errors of libraries.
macro_rules! from {
    ($($error:ty),* $(,)?) => {
        $(impl From<$error> for Problem {
            fn from(error: $error) -> Problem {
                Problem::explained(AnyError::from(&error))
            }
        })*
    };
}

from!(NameError, NotationError, TableError, AnalyseError, ValueError);

impl Problem {
    fn explained(error: AnyError<'_>) -> Problem {
        let explained = explain(error, Audience::Client);
        let table = if let AnyError::Table(error) = error { Some(error) } else { None };
        let is_stale = table.is_some_and(|error| matches!(error.defect(), Defect::Changed(_)));
        let is_short = table.is_some_and(|error| error.class() == ErrorClass::Resources);
        if is_stale || is_short || error.kind() == ErrorKind::Interrupted {
            return Problem { is_stale, ..Problem::busy(explained.message) };
        }
        let status = match explained.kind {
            ErrorKind::Missing => StatusCode::NOT_FOUND,
            ErrorKind::Usage => StatusCode::BAD_REQUEST,
            _ => StatusCode::INTERNAL_SERVER_ERROR,
        };
        Problem { status, error: explained, retry_after: None, is_stale: false, needs: None }
    }
}
