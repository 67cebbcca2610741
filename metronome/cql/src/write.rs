//! Appends the protocol's notations to a buffer (specification, section 3).

pub fn short(value: u16, out: &mut Vec<u8>) {
    out.extend_from_slice(&value.to_be_bytes());
}

pub fn int(value: i32, out: &mut Vec<u8>) {
    out.extend_from_slice(&value.to_be_bytes());
}

pub fn long(value: i64, out: &mut Vec<u8>) {
    out.extend_from_slice(&value.to_be_bytes());
}

pub fn string(value: &str, out: &mut Vec<u8>) {
    short_bytes(value.as_bytes(), out);
}

pub fn long_string(value: &str, out: &mut Vec<u8>) {
    bytes(value.as_bytes(), out);
}

pub fn bytes(value: &[u8], out: &mut Vec<u8>) {
    int(value.len() as i32, out);
    out.extend_from_slice(value);
}

pub fn short_bytes(value: &[u8], out: &mut Vec<u8>) {
    short(value.len() as u16, out);
    out.extend_from_slice(value);
}

pub fn string_map<'a>(entries: impl ExactSizeIterator<Item = (&'a str, &'a str)>, out: &mut Vec<u8>) {
    short(entries.len() as u16, out);
    for (key, value) in entries {
        string(key, out);
        string(value, out);
    }
}
