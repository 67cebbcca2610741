//! Tables, statements and their values: every key and value is a pure function of seed and row index.
//!
//! A workload is YAML (format: `docs/metronome-workloads.md`). [`Workload::load`] checks and compiles it.
//! [`Workload::pick`] returns statement and row of the n-th request, [`Statement::encode`] writes the row's values in
//! the native protocol.

mod area;
mod build;
mod built_in;
mod canonical;
mod column;
mod consistency;
mod cql_type;
mod draft;
mod draw;
mod encode;
mod error;
mod fill;
mod format;
mod generator;
mod mix;
mod parameters;
mod pick;
mod replication;
mod role;
mod shares;
mod statement;
mod table;
mod template;
mod workload;

pub use built_in::{BUILT_IN, built_in};
pub use consistency::Consistency;
pub use cql_type::{CqlType, UserType};
pub use error::WorkloadError;
pub use replication::Replication;
pub use statement::{BoundColumn, Statement};
pub use workload::{Overrides, Value, Workload};
