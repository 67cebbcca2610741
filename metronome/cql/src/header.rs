//! The nine bytes before every message body (protocol specification, section 2).

use crate::FrameError;

pub const HEADER_BYTES: usize = 9;

/// Longest accepted body: 256 MiB, as the specification demands.
const MAX_BODY_BYTES: usize = 256 << 20;

/// Header flags.
pub mod flag {
    pub const COMPRESSED: u8 = 0x01;
    pub const TRACING: u8 = 0x02;
    pub const CUSTOM_PAYLOAD: u8 = 0x04;
    pub const WARNING: u8 = 0x08;
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Version {
    V4 = 4,
    V5 = 5,
}

impl Version {
    /// Reads the version from the low seven bits of a header's first byte.
    pub fn from_byte(byte: u8) -> Option<Self> {
        match byte & 0x7f {
            4 => Some(Version::V4),
            5 => Some(Version::V5),
            _ => None,
        }
    }
}

/// Kind of a message. Not an enum, because a peer may send any byte and most code only compares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Opcode(pub u8);

impl Opcode {
    pub const ERROR: Self = Self(0x00);
    pub const STARTUP: Self = Self(0x01);
    pub const READY: Self = Self(0x02);
    pub const AUTHENTICATE: Self = Self(0x03);
    pub const OPTIONS: Self = Self(0x05);
    pub const SUPPORTED: Self = Self(0x06);
    pub const QUERY: Self = Self(0x07);
    pub const RESULT: Self = Self(0x08);
    pub const PREPARE: Self = Self(0x09);
    pub const EXECUTE: Self = Self(0x0a);
    pub const REGISTER: Self = Self(0x0b);
    pub const EVENT: Self = Self(0x0c);
    pub const BATCH: Self = Self(0x0d);
    pub const AUTH_CHALLENGE: Self = Self(0x0e);
    pub const AUTH_RESPONSE: Self = Self(0x0f);
    pub const AUTH_SUCCESS: Self = Self(0x10);
}

/// A message header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Header {
    /// The version byte on the wire, with the direction bit.
    pub version_byte: u8,
    pub flags: u8,
    pub stream: i16,
    pub opcode: Opcode,
    pub body_bytes: usize,
}

impl Header {
    /// Reads the header at the start of `bytes`; `None` when there are fewer than nine.
    ///
    /// # Errors
    /// When the body is longer than the protocol allows.
    #[inline]
    pub fn decode(bytes: &[u8]) -> Result<Option<Self>, FrameError> {
        let Some(b) = bytes.first_chunk::<HEADER_BYTES>() else { return Ok(None) };
        let body_bytes = u32::from_be_bytes([b[5], b[6], b[7], b[8]]) as usize;
        if body_bytes > MAX_BODY_BYTES {
            return Err(FrameError::TooLong { bytes: body_bytes });
        }
        let stream = i16::from_be_bytes([b[2], b[3]]);
        Ok(Some(Self { version_byte: b[0], flags: b[1], stream, opcode: Opcode(b[4]), body_bytes }))
    }

    #[inline]
    pub(crate) fn encode(&self) -> [u8; HEADER_BYTES] {
        let [s0, s1] = self.stream.to_be_bytes();
        let [l0, l1, l2, l3] = (self.body_bytes as u32).to_be_bytes();
        [self.version_byte, self.flags, s0, s1, self.opcode.0, l0, l1, l2, l3]
    }
}
