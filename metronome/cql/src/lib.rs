//! The CQL native protocol, versions 4 and 5, without I/O: frames, segments, messages, error codes, tokens.
//!
//! The crate serves clients and servers: an [`Outbox`] encodes messages, an [`Inbox`] decodes them. Both reuse their
//! buffers and do not allocate once these have grown.
//!
//! Source: `native_protocol_v4.spec` and `native_protocol_v5.spec` of Apache Cassandra.

mod error;
mod header;
mod inbox;
mod lz4;
mod outbox;
pub mod read;
pub mod request;
pub mod response;
mod segment;
mod token;
pub mod write;

pub use error::{ErrorCode, FrameError};
pub use header::{HEADER_BYTES, Header, Opcode, Version, flag};
pub use inbox::Inbox;
pub use outbox::Outbox;
pub use token::murmur3_token;
