//! Pseudo-random numbers as pure functions of seed and index. Draws keep no state, so that any draw can be repeated
//! later, on another thread or another machine.

use std::convert::Infallible;

use rand_core::TryRng;

const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

/// Mixes an index into 64 well-spread bits. For one salt no two indexes give the same result, because multiplication by
/// an odd number, xor and the finalizer are reversible (finalizer: variant 13 of Stafford, as in SplitMix64).
#[inline]
pub(crate) fn mix(salt: u64, index: u64) -> u64 {
    let mut x = index.wrapping_mul(GOLDEN) ^ salt;
    x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}

/// Computes the salt of a named thing, different for every seed (FNV-1a, then mixed).
pub(crate) fn salt(seed: u64, names: &[&str]) -> u64 {
    let mut hash = 0xCBF2_9CE4_8422_2325_u64;
    for byte in names.iter().flat_map(|name| name.bytes().chain([0xFF])) {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3);
    }
    mix(seed, hash)
}

/// Maps 64 random bits onto `0..n` (Lemire's multiply-shift; the bias is below n / 2^64).
#[inline]
pub(crate) fn below(random: u64, n: u64) -> u64 {
    ((u128::from(random) * u128::from(n)) >> 64) as u64
}

/// Maps 64 random bits onto `[0, 1)`.
#[inline]
pub(crate) fn unit(random: u64) -> f64 {
    (random >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
}

/// The random numbers of one index, for draws that need several and for filling text.
#[derive(Clone, Copy)]
pub(crate) struct Stream(u64);

impl Stream {
    #[inline]
    pub(crate) fn new(salt: u64, index: u64) -> Self {
        Self(mix(salt, index))
    }

    /// Takes one step of wyrand: one wide multiplication for 8 bytes.
    #[inline]
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0xA076_1D64_78BD_642F);
        let wide = u128::from(self.0) * u128::from(self.0 ^ 0xE703_7ED1_A0B4_28DB);
        (wide >> 64) as u64 ^ wide as u64
    }
}

impl TryRng for Stream {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok((self.next() >> 32) as u32)
    }

    #[inline]
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(self.next())
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        for chunk in bytes.chunks_mut(8) {
            chunk.copy_from_slice(&self.next().to_le_bytes()[..chunk.len()]);
        }
        Ok(())
    }
}

/// Fills write whole words, so `out` must be this many bytes longer than the value.
pub(crate) const SLACK: usize = 8;

/// Fills with bytes of full entropy, which no compressor makes smaller. Returns `size`.
#[inline]
pub(crate) fn fill_bytes(stream: Stream, size: usize, out: &mut [u8]) -> usize {
    fill(stream, size, out, |word| word)
}

/// Fills with printable ASCII from `0` to `o`: 6 bits in each byte, so that it compresses to three quarters.
#[inline]
pub(crate) fn fill_text(stream: Stream, size: usize, out: &mut [u8]) -> usize {
    fill(stream, size, out, |word| (word & 0x3F3F_3F3F_3F3F_3F3F) + 0x3030_3030_3030_3030)
}

/// The first word is the reversible mix, so that 8 bytes or more never collide for different indexes.
#[inline]
fn fill(mut stream: Stream, size: usize, out: &mut [u8], shape: impl Fn(u64) -> u64) -> usize {
    let mut word = stream.0;
    for eight in out[..size.next_multiple_of(8)].chunks_exact_mut(8) {
        eight.copy_from_slice(&shape(word).to_le_bytes());
        word = stream.next();
    }
    size
}

/// Number of printable characters that spell 64 bits.
pub(crate) const DISTINCT_CHARS: usize = 11;

/// Spells 64 bits in printable characters, so that different numbers give different text.
#[inline]
pub(crate) fn spell(bits: u64, out: &mut [u8]) {
    for (at, byte) in out[..DISTINCT_CHARS].iter_mut().enumerate() {
        *byte = 0x30 + ((bits >> (6 * at)) & 0x3F) as u8;
    }
}
