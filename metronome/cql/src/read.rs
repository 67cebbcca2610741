//! Reads the protocol's notations from the front of a slice (specification, section 3).

use crate::FrameError;

type Read<T> = Result<T, FrameError>;

fn take<'a>(body: &mut &'a [u8], n: usize, field: &'static str) -> Read<&'a [u8]> {
    let (taken, rest) = body.split_at_checked(n).ok_or(FrameError::Truncated { field })?;
    *body = rest;
    Ok(taken)
}

fn array<const N: usize>(body: &mut &[u8], field: &'static str) -> Read<[u8; N]> {
    let (taken, rest) = body.split_first_chunk::<N>().ok_or(FrameError::Truncated { field })?;
    *body = rest;
    Ok(*taken)
}

pub fn byte(body: &mut &[u8]) -> Read<u8> {
    Ok(array::<1>(body, "byte")?[0])
}

pub fn short(body: &mut &[u8]) -> Read<u16> {
    Ok(u16::from_be_bytes(array(body, "short")?))
}

pub fn int(body: &mut &[u8]) -> Read<i32> {
    Ok(i32::from_be_bytes(array(body, "int")?))
}

pub fn long(body: &mut &[u8]) -> Read<i64> {
    Ok(i64::from_be_bytes(array(body, "long")?))
}

pub fn skip(body: &mut &[u8], n: usize, field: &'static str) -> Read<()> {
    take(body, n, field).map(|_| ())
}

pub fn short_bytes<'a>(body: &mut &'a [u8]) -> Read<&'a [u8]> {
    let n = short(body)?;
    take(body, usize::from(n), "short bytes")
}

/// `None` for null.
pub fn bytes<'a>(body: &mut &'a [u8]) -> Read<Option<&'a [u8]>> {
    match usize::try_from(int(body)?) {
        Ok(n) => take(body, n, "bytes").map(Some),
        Err(_) => Ok(None),
    }
}

/// Reads a string. Invalid UTF-8 is replaced, since names and messages are only shown.
pub fn string(body: &mut &[u8]) -> Read<String> {
    Ok(String::from_utf8_lossy(short_bytes(body)?).into_owned())
}

pub fn long_string(body: &mut &[u8]) -> Read<String> {
    Ok(String::from_utf8_lossy(bytes(body)?.unwrap_or_default()).into_owned())
}

pub fn string_list(body: &mut &[u8]) -> Read<Vec<String>> {
    (0..short(body)?).map(|_| string(body)).collect()
}

pub fn string_map(body: &mut &[u8]) -> Read<Vec<(String, String)>> {
    (0..short(body)?).map(|_| Ok((string(body)?, string(body)?))).collect()
}

pub fn string_multimap(body: &mut &[u8]) -> Read<Vec<(String, Vec<String>)>> {
    (0..short(body)?).map(|_| Ok((string(body)?, string_list(body)?))).collect()
}
