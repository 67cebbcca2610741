//! LZ4 blocks as CQL uses them.

use crate::FrameError;

/// Compresses `plain` into `out`, which it clears first, behind `reserve` zero bytes. Returns `false` when the result
/// is not shorter.
pub(crate) fn compress(plain: &[u8], reserve: usize, out: &mut Vec<u8>) -> bool {
    out.clear();
    out.resize(reserve + lz4_flex::block::get_maximum_output_size(plain.len()), 0);
    match lz4_flex::block::compress_into(plain, &mut out[reserve..]) {
        Ok(n) => {
            out.truncate(reserve + n);
            reserve + n < plain.len()
        }
        Err(_) => false,
    }
}

/// Appends the decompressed `block` to `out`.
pub(crate) fn decompress(
    block: &[u8],
    plain_bytes: usize,
    out: &mut Vec<u8>,
    part: &'static str,
) -> Result<(), FrameError> {
    let at = out.len();
    out.resize(at + plain_bytes, 0);
    match lz4_flex::block::decompress_into(block, &mut out[at..]) {
        Ok(n) if n == plain_bytes => Ok(()),
        _ => Err(FrameError::Compression { part }),
    }
}
