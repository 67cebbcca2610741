//! Tables, statements and the values in them: every key and value is a pure function of seed and row index.
//!
//! A workload is YAML (`docs/metronome.md` describes it). [`Workload::load`] checks it and compiles it to what the
//! engine needs: [`Workload::pick`] says which statement the n-th request is and which row it works on,
//! [`Statement::encode`] writes that row's values as the native protocol wants them.

mod area;
mod build;
mod built_in;
mod canonical;
mod column;
mod composite;
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
