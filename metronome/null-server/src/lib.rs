//! A server that speaks CQL and does nothing: the ceiling of a load generator.
//!
//! It answers every statement at once, or as slowly as [`Pace`] says, and remembers nothing but the tables created
//! through it, so that drivers get the types they ask for when they prepare. One node, protocol versions 4 and 5, LZ4.

mod answer;
mod catalogue;
mod pace;
mod peer;
mod rows;
mod server;
mod worker;

pub use pace::{Pace, Stall};
pub use server::{NullServer, NullServerConfig};
