//! Writes values of the native protocol (specification, section 6) to the start of a slice. Each function returns the
//! number of bytes written.

use crate::cql_type::Number;

/// Scale of decimals: hundredths.
const SCALE: i32 = 2;

#[inline]
pub(crate) fn copy(bytes: &[u8], out: &mut [u8]) -> usize {
    out[..bytes.len()].copy_from_slice(bytes);
    bytes.len()
}

#[inline]
pub(crate) fn put_whole(number: Number, value: i64, out: &mut [u8]) -> usize {
    match number {
        Number::F32 => copy(&(value as f32).to_be_bytes(), out),
        Number::F64 => copy(&(value as f64).to_be_bytes(), out),
        Number::Varint => put_varint(value, out),
        Number::Decimal => put_decimal(0, value, out),
        _ => copy(&value.to_be_bytes()[8 - number.max_bytes()..], out),
    }
}

#[inline]
pub(crate) fn put_real(number: Number, value: f64, out: &mut [u8]) -> usize {
    match number {
        Number::F32 => copy(&(value as f32).to_be_bytes(), out),
        Number::Decimal => put_decimal(SCALE, (value * 10_f64.powi(SCALE)).round() as i64, out),
        _ => copy(&value.to_be_bytes(), out),
    }
}

fn put_decimal(scale: i32, unscaled: i64, out: &mut [u8]) -> usize {
    out[..4].copy_from_slice(&scale.to_be_bytes());
    4 + put_varint(unscaled, &mut out[4..])
}

/// Writes two's complement in the fewest bytes that hold value and sign.
fn put_varint(value: i64, out: &mut [u8]) -> usize {
    let needed_bits = 65 - (if value < 0 { !value } else { value }).leading_zeros() as usize;
    copy(&value.to_be_bytes()[8 - needed_bits.div_ceil(8)..], out)
}

/// Maximum size of a duration: three vints.
pub(crate) const DURATION_BYTES: usize = 27;

/// Writes months, days and nanoseconds, each as a signed vint.
pub(crate) fn put_duration(months: i32, days: i32, nanos: i64, out: &mut [u8]) -> usize {
    let mut end = 0;
    for part in [i64::from(months), i64::from(days), nanos] {
        let zigzag = ((part << 1) ^ (part >> 63)).cast_unsigned();
        end += put_vint(zigzag, &mut out[end..]);
    }
    end
}

/// Writes a vint: the first byte has one leading one bit for each byte that follows; then comes the number.
fn put_vint(value: u64, out: &mut [u8]) -> usize {
    let bits = 64 - value.leading_zeros() as usize;
    let more = (bits.max(1) - 1) / 7;
    if more >= 8 {
        out[0] = 0xFF;
        return 1 + copy(&value.to_be_bytes(), &mut out[1..]);
    }
    let size = copy(&value.to_be_bytes()[7 - more..], out);
    out[0] |= !(0xFF_u16 >> more) as u8;
    size
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(put: impl FnOnce(&mut [u8]) -> usize) -> Vec<u8> {
        let mut out = [0xAA; 64];
        let size = put(&mut out);
        out[..size].to_vec()
    }

    /// The table of the specification, section 6.22.
    #[test]
    fn varints_are_as_short_as_the_specification_says() {
        let cases: [(i64, &[u8]); 9] = [
            (0, &[0x00]),
            (1, &[0x01]),
            (127, &[0x7F]),
            (128, &[0x00, 0x80]),
            (129, &[0x00, 0x81]),
            (-1, &[0xFF]),
            (-128, &[0x80]),
            (-129, &[0xFF, 0x7F]),
            (i64::MIN, &[0x80, 0, 0, 0, 0, 0, 0, 0]),
        ];
        for (value, expected) in cases {
            assert_eq!(bytes(|out| put_whole(Number::Varint, value, out)), expected, "{value}");
        }
    }

    #[test]
    fn decimals_are_a_scale_and_a_varint() {
        assert_eq!(bytes(|out| put_real(Number::Decimal, 12.34, out)), [0, 0, 0, 2, 0x04, 0xD2]);
        assert_eq!(bytes(|out| put_real(Number::Decimal, -0.01, out)), [0, 0, 0, 2, 0xFF]);
        assert_eq!(bytes(|out| put_whole(Number::Decimal, 7, out)), [0, 0, 0, 0, 7]);
    }

    #[test]
    fn durations_are_three_vints() {
        assert_eq!(bytes(|out| put_duration(1, -1, 2, out)), [2, 1, 4]);
        assert_eq!(bytes(|out| put_duration(0, 64, 0, out)), [0, 0x80, 0x80, 0]);
        assert_eq!(bytes(|out| put_duration(0, 0, 1 << 20, out)), [0, 0, 0xE0, 0x20, 0, 0]);
        let longest = bytes(|out| put_duration(0, 0, i64::MIN, out));
        assert_eq!(longest, [0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]);
    }
}
