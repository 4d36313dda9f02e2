//! All integration tests in one program, which links sooner than one for each file.

mod changing;
mod distances;
mod fixtures;
mod forged;
mod format;
mod fuzz;
mod hostile;
mod manifest;
mod support;
mod tablebase;
