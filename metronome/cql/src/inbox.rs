//! Decodes wire bytes to messages.

use crate::header::{HEADER_BYTES, Header, flag};
use crate::segment::{SegmentHeader, TRAILER_BYTES, header_bytes, payload_crc};
use crate::{FrameError, lz4};
use std::ops::Range;

/// Room for one read.
const READ_BYTES: usize = 128 << 10;

/// Incoming bytes of one connection.
#[derive(Debug)]
pub struct Inbox {
    raw: Vec<u8>,
    /// Arrived and unconsumed bytes of `raw`.
    unread: Range<usize>,
    segments: bool,
    lz4: bool,
    /// Unparsed part of `raw` within the current self-contained segment.
    in_place: Range<usize>,
    /// Payloads that cannot be parsed in place: compressed ones and parts of a long message.
    joined: Vec<u8>,
    joined_at: usize,
    body: Vec<u8>,
}

impl Default for Inbox {
    fn default() -> Self {
        Self::new()
    }
}

impl Inbox {
    /// Expects messages without segments until [`Inbox::handshake_done`].
    pub fn new() -> Self {
        Self {
            raw: Vec::new(),
            unread: 0..0,
            segments: false,
            lz4: false,
            in_place: 0..0,
            joined: Vec::new(),
            joined_at: 0,
            body: Vec::new(),
        }
    }

    /// From here on bytes arrive in segments if `segments`, and compressed if `lz4`.
    pub fn handshake_done(&mut self, segments: bool, lz4: bool) {
        self.segments = segments;
        self.lz4 = lz4;
    }

    /// Free room for the next read. Call [`Inbox::filled`] with the number of bytes read.
    pub fn room(&mut self) -> &mut [u8] {
        if self.unread.is_empty() && self.in_place.is_empty() {
            self.unread = 0..0;
            self.in_place = 0..0;
        }
        let free = self.raw.len() - self.unread.end;
        if free < READ_BYTES / 2 {
            let keep = if self.in_place.is_empty() { self.unread.start } else { self.in_place.start };
            self.raw.copy_within(keep..self.unread.end, 0);
            self.unread = self.unread.start - keep..self.unread.end - keep;
            if !self.in_place.is_empty() {
                self.in_place = self.in_place.start - keep..self.in_place.end - keep;
            }
            let wanted = self.unread.end + READ_BYTES;
            if self.raw.len() < wanted {
                self.raw.resize(wanted, 0);
            }
        }
        &mut self.raw[self.unread.end..]
    }

    /// Takes note of `n` bytes read into [`Inbox::room`].
    pub fn filled(&mut self, n: usize) {
        self.unread.end += n;
    }

    /// Returns the next complete message, decompressed; `None` until more bytes arrive.
    ///
    /// # Errors
    /// When the bytes violate the protocol: the connection can no longer be used.
    #[inline]
    pub fn next_message(&mut self) -> Result<Option<(Header, &[u8])>, FrameError> {
        if !self.segments {
            let Some(header) = Header::decode(&self.raw[self.unread.clone()])? else { return Ok(None) };
            let end = self.unread.start + HEADER_BYTES + header.body_bytes;
            if end > self.unread.end {
                self.make_room_for(HEADER_BYTES + header.body_bytes);
                return Ok(None);
            }
            let body = self.unread.start + HEADER_BYTES..end;
            self.unread.start = end;
            return self.body_of(header, body).map(Some);
        }
        loop {
            if let Some((header, range)) = take_message(&self.raw, &mut self.in_place)? {
                return Ok(Some((header, &self.raw[range])));
            }
            let mut rest = self.joined_at..self.joined.len();
            if let Some((header, range)) = take_message(&self.joined, &mut rest)? {
                self.joined_at = rest.start;
                return Ok(Some((header, &self.joined[range])));
            }
            if rest.is_empty() {
                self.joined.clear();
                self.joined_at = 0;
            }
            if !self.next_segment()? {
                return Ok(None);
            }
        }
    }

    fn body_of(&mut self, header: Header, body: Range<usize>) -> Result<(Header, &[u8]), FrameError> {
        if header.flags & flag::COMPRESSED == 0 {
            return Ok((header, &self.raw[body]));
        }
        let block = &self.raw[body];
        let (length, block) =
            block.split_first_chunk::<4>().ok_or(FrameError::Truncated { field: "compressed body" })?;
        let plain_bytes = u32::from_be_bytes(*length) as usize;
        if plain_bytes > 256 << 20 {
            return Err(FrameError::TooLong { bytes: plain_bytes });
        }
        self.body.clear();
        lz4::decompress(block, plain_bytes, &mut self.body, "message")?;
        Ok((Header { body_bytes: plain_bytes, ..header }, &self.body))
    }

    /// Takes the next segment from the unread bytes; `false` while it is incomplete.
    fn next_segment(&mut self) -> Result<bool, FrameError> {
        let unread = &self.raw[self.unread.clone()];
        let before = header_bytes(self.lz4);
        let Some(header) = unread.get(..before) else { return Ok(false) };
        let header = SegmentHeader::decode(self.lz4, header)?;
        let total = before + header.payload_bytes + TRAILER_BYTES;
        if unread.len() < total {
            self.make_room_for(total);
            return Ok(false);
        }
        let payload = &unread[before..before + header.payload_bytes];
        if payload_crc(payload) != unread[total - TRAILER_BYTES..total] {
            return Err(FrameError::Checksum { part: "payload" });
        }
        if header.plain_bytes > 0 {
            lz4::decompress(payload, header.plain_bytes, &mut self.joined, "segment")?;
        } else if header.self_contained && self.joined.is_empty() {
            let at = self.unread.start + before;
            self.in_place = at..at + header.payload_bytes;
        } else {
            self.joined.extend_from_slice(payload);
        }
        self.unread.start += total;
        Ok(true)
    }

    fn make_room_for(&mut self, bytes: usize) {
        let wanted = self.unread.start + bytes + READ_BYTES;
        if self.raw.len() < wanted {
            self.raw.resize(wanted, 0);
        }
    }
}

fn take_message(bytes: &[u8], range: &mut Range<usize>) -> Result<Option<(Header, Range<usize>)>, FrameError> {
    let Some(header) = Header::decode(&bytes[range.clone()])? else { return Ok(None) };
    let end = range.start + HEADER_BYTES + header.body_bytes;
    if end > range.end {
        return Ok(None);
    }
    let body = range.start + HEADER_BYTES..end;
    range.start = end;
    Ok(Some((header, body)))
}
