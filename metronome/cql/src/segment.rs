//! Segments: the checksummed outer frames of protocol version 5 (specification, section 2).

use crate::FrameError;

/// Longest payload of one segment.
pub(crate) const MAX_PAYLOAD_BYTES: usize = (1 << 17) - 1;
pub(crate) const TRAILER_BYTES: usize = 4;

const SELF_CONTAINED_PLAIN: u64 = 1 << 17;
const SELF_CONTAINED_LZ4: u64 = 1 << 34;

/// Bytes before the payload.
pub(crate) const fn header_bytes(lz4: bool) -> usize {
    if lz4 { 8 } else { 6 }
}

/// Header of a segment. `plain_bytes` is zero when the payload is not compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SegmentHeader {
    pub(crate) payload_bytes: usize,
    pub(crate) plain_bytes: usize,
    pub(crate) self_contained: bool,
}

impl SegmentHeader {
    /// Writes the header into `out`, which is [`header_bytes`] long.
    pub(crate) fn encode(&self, lz4: bool, out: &mut [u8]) {
        let mut bits = self.payload_bytes as u64;
        if lz4 {
            bits |= (self.plain_bytes as u64) << 17;
        }
        if self.self_contained {
            bits |= if lz4 { SELF_CONTAINED_LZ4 } else { SELF_CONTAINED_PLAIN };
        }
        let n = header_bytes(lz4) - 3;
        out[..n].copy_from_slice(&bits.to_le_bytes()[..n]);
        let crc = crc24(bits, n);
        out[n..n + 3].copy_from_slice(&crc.to_le_bytes()[..3]);
    }

    /// Reads a header from `bytes`, which is [`header_bytes`] long.
    pub(crate) fn decode(lz4: bool, bytes: &[u8]) -> Result<Self, FrameError> {
        let n = header_bytes(lz4) - 3;
        let mut word = [0; 8];
        word[..n].copy_from_slice(&bytes[..n]);
        let bits = u64::from_le_bytes(word);
        let crc = u32::from_le_bytes([bytes[n], bytes[n + 1], bytes[n + 2], 0]);
        if crc != crc24(bits, n) {
            return Err(FrameError::Checksum { part: "header" });
        }
        let flag = if lz4 { SELF_CONTAINED_LZ4 } else { SELF_CONTAINED_PLAIN };
        Ok(Self {
            payload_bytes: bits as usize & MAX_PAYLOAD_BYTES,
            plain_bytes: if lz4 { (bits >> 17) as usize & MAX_PAYLOAD_BYTES } else { 0 },
            self_contained: bits & flag != 0,
        })
    }
}

/// CRC-24 over the low `n` bytes of `bits`, least significant byte first.
fn crc24(bits: u64, n: usize) -> u32 {
    let mut crc = 0x0087_5060_u32;
    for byte in &bits.to_le_bytes()[..n] {
        crc ^= u32::from(*byte) << 16;
        for _ in 0..8 {
            crc <<= 1;
            if crc & 0x0100_0000 != 0 {
                crc ^= 0x0197_4f0b;
            }
        }
    }
    crc
}

/// CRC-32 of a payload, primed with the four bytes that the specification demands.
pub(crate) fn payload_crc(payload: &[u8]) -> [u8; TRAILER_BYTES] {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&[0xfa, 0x2d, 0x55, 0xca]);
    hasher.update(payload);
    hasher.finalize().to_le_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_survives_the_round_trip_and_a_flipped_bit_does_not() {
        for lz4 in [false, true] {
            let plain_bytes = if lz4 { 131_000 } else { 0 };
            let header = SegmentHeader { payload_bytes: 70_001, plain_bytes, self_contained: true };
            let mut bytes = vec![0; header_bytes(lz4)];
            header.encode(lz4, &mut bytes);
            assert_eq!(SegmentHeader::decode(lz4, &bytes), Ok(header));
            for bit in 0..bytes.len() * 8 {
                let mut damaged = bytes.clone();
                damaged[bit / 8] ^= 1 << (bit % 8);
                assert_eq!(SegmentHeader::decode(lz4, &damaged), Err(FrameError::Checksum { part: "header" }));
            }
        }
    }
}
