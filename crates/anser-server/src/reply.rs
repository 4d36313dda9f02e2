//! Answers as responses: JSON, validators, and caching.

use anser_games::answers::Versioned;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use xxhash_rust::xxh3::xxh3_64;

use crate::problem::Problem;

/// Caching of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keep {
    /// Caches must revalidate the answer. Exact values never change, but the same address may have
    /// another description of the game later, or another version of Anser.
    Now,
    /// No caching.
    Not,
}

impl Keep {
    fn header(self) -> &'static str {
        match self {
            Keep::Now => "no-cache",
            Keep::Not => "no-store",
        }
    }
}

/// An answer in JSON.
#[derive(Clone)]
pub(crate) struct Reply {
    body: Vec<u8>,
    keep: Keep,
}

impl Reply {
    /// Writes an answer with the version of the vocabulary.
    pub(crate) fn new(answer: &impl Serialize, keep: Keep) -> Result<Reply, Problem> {
        let written = serde_json::to_vec(&Versioned::new(answer));
        let body = written.map_err(|error| Problem::internal(error.to_string()))?;
        Ok(Reply { body, keep })
    }

    pub(crate) fn body(&self) -> &[u8] {
        &self.body
    }

    /// The response to a request with these headers.
    pub(crate) fn respond(self, request: &HeaderMap) -> Response {
        with_tag(request, "application/json", self.keep.header(), self.body)
    }
}

/// A response with a validator, without a body if the client has it already.
pub(crate) fn with_tag(
    request: &HeaderMap,
    content_type: &'static str,
    cache_control: &'static str,
    body: impl Into<axum::body::Bytes>,
) -> Response {
    let body = body.into();
    let tag = format!("\"{:016x}\"", xxh3_64(&body));
    // Weak, because the body may be sent compressed.
    let weak = format!("W/{tag}");
    let headers = [
        (header::CACHE_CONTROL, cache_control),
        (header::CONTENT_TYPE, content_type),
        (header::ETAG, &weak[..]),
    ];
    let known =
        request.get_all(header::IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    let mut known = known.flat_map(|tags| tags.split(',')).map(str::trim);
    if known.any(|known| known == "*" || known.trim_start_matches("W/") == tag) {
        return (StatusCode::NOT_MODIFIED, headers).into_response();
    }
    (headers, body).into_response()
}
