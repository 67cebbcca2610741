//! Tokens of partitions.

/// Computes the token of a partition key under Cassandra's Murmur3Partitioner: the first half of MurmurHash3_x64_128
/// with Cassandra's sign-extended tail bytes. The smallest value is no token and maps to the largest.
pub fn murmur3_token(key: &[u8]) -> i64 {
    const C1: u64 = 0x87c3_7b91_1142_53d5;
    const C2: u64 = 0x4cf5_ad43_2745_937f;
    let (mut h1, mut h2) = (0_u64, 0_u64);
    let (blocks, tail) = key.as_chunks::<16>();
    for block in blocks {
        let (low, high) = halves(block);
        h1 ^= low.wrapping_mul(C1).rotate_left(31).wrapping_mul(C2);
        h1 = h1.rotate_left(27).wrapping_add(h2).wrapping_mul(5).wrapping_add(0x52dc_e729);
        h2 ^= high.wrapping_mul(C2).rotate_left(33).wrapping_mul(C1);
        h2 = h2.rotate_left(31).wrapping_add(h1).wrapping_mul(5).wrapping_add(0x3849_5ab5);
    }
    let (mut k1, mut k2) = (0_u64, 0_u64);
    for (i, byte) in tail.iter().enumerate() {
        let extended = i64::from(byte.cast_signed()).cast_unsigned();
        let half = if i < 8 { &mut k1 } else { &mut k2 };
        *half ^= extended << (8 * (i % 8));
    }
    h2 ^= k2.wrapping_mul(C2).rotate_left(33).wrapping_mul(C1);
    h1 ^= k1.wrapping_mul(C1).rotate_left(31).wrapping_mul(C2);
    h1 ^= key.len() as u64;
    h2 ^= key.len() as u64;
    h1 = h1.wrapping_add(h2);
    h2 = h2.wrapping_add(h1);
    let token = avalanche(h1).wrapping_add(avalanche(h2)).cast_signed();
    if token == i64::MIN { i64::MAX } else { token }
}

fn halves(block: &[u8; 16]) -> (u64, u64) {
    let (low, high) = block.split_at(8);
    let word = |half: &[u8]| half.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
    (word(low), word(high))
}

fn avalanche(mut h: u64) -> u64 {
    h = (h ^ (h >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    h = (h ^ (h >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    h ^ (h >> 33)
}

#[cfg(test)]
mod tests {
    use super::murmur3_token;

    /// Reference values of the Murmur3Partitioner, the last with bytes above 127.
    #[test]
    fn tokens_are_those_of_cassandra() {
        assert_eq!(murmur3_token(b"test"), -6_017_608_668_500_074_083);
        assert_eq!(murmur3_token(b"xd"), 4_507_812_186_440_344_727);
        assert_eq!(murmur3_token(b"primary_key"), -1_632_642_444_691_073_360);
        assert_eq!(murmur3_token("kremówki".as_bytes()), 4_354_931_215_268_080_151);
    }
}
