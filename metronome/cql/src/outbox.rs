//! Encodes messages to wire bytes: many messages in one buffer, so that one system call sends them all.

use crate::header::{HEADER_BYTES, Header, Opcode, Version, flag};
use crate::lz4;
use crate::segment::{MAX_PAYLOAD_BYTES, SegmentHeader, TRAILER_BYTES, header_bytes, payload_crc};

/// Size at which an open segment is closed: long enough to make checksums cheap, short enough to leave room for one
/// more message of ordinary size.
const FULL_SEGMENT_BYTES: usize = 64 << 10;

/// Messages shorter than this do not gain from compression.
const MIN_COMPRESSED_BYTES: usize = 64;

/// Outgoing bytes of one connection.
#[derive(Debug)]
pub struct Outbox {
    wire: Vec<u8>,
    taken: usize,
    version: Version,
    response_bit: u8,
    lz4: bool,
    segments: bool,
    /// Start of the payload of the open segment.
    payload_at: Option<usize>,
    message_at: usize,
    scratch: Vec<u8>,
}

impl Outbox {
    /// An outbox of a client. Messages have no segments until [`Outbox::handshake_done`].
    pub fn client(version: Version) -> Self {
        Self::new(version, 0)
    }

    /// An outbox of a server.
    pub fn server(version: Version) -> Self {
        Self::new(version, 0x80)
    }

    fn new(version: Version, response_bit: u8) -> Self {
        Self {
            wire: Vec::with_capacity(16 << 10),
            taken: 0,
            version,
            response_bit,
            lz4: false,
            segments: false,
            payload_at: None,
            message_at: 0,
            scratch: Vec::new(),
        }
    }

    pub fn version(&self) -> Version {
        self.version
    }

    /// From here on compresses messages if `lz4`, and frames them in segments if the version has segments.
    pub fn handshake_done(&mut self, lz4: bool) {
        self.lz4 = lz4;
        self.segments = self.version >= Version::V5;
    }

    /// Appends one message; `body` appends its body to the buffer.
    #[inline]
    pub fn message(&mut self, stream: i16, opcode: Opcode, body: impl FnOnce(&mut Vec<u8>)) {
        if self.segments && self.payload_at.is_none() {
            let at = self.wire.len() + header_bytes(self.lz4);
            self.wire.resize(at, 0);
            self.payload_at = Some(at);
        }
        self.message_at = self.wire.len();
        let version_byte = self.version as u8 | self.response_bit;
        let header = Header { version_byte, flags: 0, stream, opcode, body_bytes: 0 };
        self.wire.extend_from_slice(&header.encode());
        body(&mut self.wire);
        let body_at = self.message_at + HEADER_BYTES;
        if self.lz4 && !self.segments && self.wire.len() - body_at >= MIN_COMPRESSED_BYTES {
            self.compress_body(body_at);
        }
        let body_bytes = (self.wire.len() - body_at) as u32;
        self.wire[body_at - 4..body_at].copy_from_slice(&body_bytes.to_be_bytes());
        if let Some(payload_at) = self.payload_at
            && self.wire.len() - payload_at >= FULL_SEGMENT_BYTES
        {
            self.close_full_segment(payload_at);
        }
    }

    fn compress_body(&mut self, body_at: usize) {
        let plain_bytes = self.wire.len() - body_at;
        if lz4::compress(&self.wire[body_at..], 4, &mut self.scratch) {
            self.scratch[..4].copy_from_slice(&(plain_bytes as u32).to_be_bytes());
            self.wire.truncate(body_at);
            self.wire.extend_from_slice(&self.scratch);
            self.wire[self.message_at + 1] |= flag::COMPRESSED;
        }
    }

    fn close_full_segment(&mut self, payload_at: usize) {
        if self.wire.len() - payload_at <= MAX_PAYLOAD_BYTES {
            self.seal_segment(payload_at, true);
            return;
        }
        // The message is too long for the rest of its segment and moves into segments of its own.
        let long = self.wire.split_off(self.message_at);
        if self.message_at > payload_at {
            self.seal_segment(payload_at, true);
        } else {
            self.wire.truncate(payload_at - header_bytes(self.lz4));
        }
        let self_contained = long.len() <= MAX_PAYLOAD_BYTES;
        for part in long.chunks(MAX_PAYLOAD_BYTES) {
            let at = self.wire.len() + header_bytes(self.lz4);
            self.wire.resize(at, 0);
            self.wire.extend_from_slice(part);
            self.seal_segment(at, self_contained);
        }
    }

    fn seal_segment(&mut self, payload_at: usize, self_contained: bool) {
        let mut plain_bytes = 0;
        if self.lz4 && lz4::compress(&self.wire[payload_at..], 0, &mut self.scratch) {
            plain_bytes = self.wire.len() - payload_at;
            self.wire.truncate(payload_at);
            self.wire.extend_from_slice(&self.scratch);
        }
        let payload_bytes = self.wire.len() - payload_at;
        let header = SegmentHeader { payload_bytes, plain_bytes, self_contained };
        header.encode(self.lz4, &mut self.wire[payload_at - header_bytes(self.lz4)..payload_at]);
        let crc: [u8; TRAILER_BYTES] = payload_crc(&self.wire[payload_at..]);
        self.wire.extend_from_slice(&crc);
        self.payload_at = None;
    }

    /// The bytes to send, complete to the last message.
    #[inline]
    pub fn ready(&mut self) -> &[u8] {
        if let Some(payload_at) = self.payload_at {
            self.seal_segment(payload_at, true);
        }
        &self.wire[self.taken..]
    }

    /// Takes note of `n` sent bytes of [`Outbox::ready`].
    #[inline]
    pub fn took(&mut self, n: usize) {
        self.taken += n;
        if self.taken == self.wire.len() {
            self.wire.clear();
            self.taken = 0;
        } else if self.taken >= 256 << 10 {
            self.wire.drain(..self.taken);
            self.payload_at = self.payload_at.map(|at| at - self.taken);
            self.taken = 0;
        }
    }

    /// Number of bytes to send.
    #[inline]
    pub fn waiting_bytes(&self) -> usize {
        self.wire.len() - self.taken
    }
}
