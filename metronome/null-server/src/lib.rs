//! A server that speaks CQL and stores nothing, to measure load generators.
//!
//! It answers every statement immediately, or as [`Throttle`] delays it. It keeps only the definitions of created
//! tables, so that drivers get the right types when they prepare. One node, protocol versions 4 and 5, LZ4.

mod answer;
mod catalogue;
mod peer;
mod rows;
mod server;
mod throttle;
mod worker;

pub use server::{NullServer, NullServerConfig};
pub use throttle::{Stall, Throttle};
