//! Bodies of the messages that a server sends, as far as a load generator needs them.

use crate::{ErrorCode, FrameError, Header, header::flag, read};

/// Kinds of RESULT.
pub mod kind {
    pub const VOID: i32 = 1;
    pub const ROWS: i32 = 2;
    pub const SET_KEYSPACE: i32 = 3;
    pub const PREPARED: i32 = 4;
    pub const SCHEMA_CHANGE: i32 = 5;
}

const GLOBAL_TABLES_SPEC: i32 = 0x01;
const HAS_MORE_PAGES: i32 = 0x02;
const NO_METADATA: i32 = 0x04;
const METADATA_CHANGED: i32 = 0x08;

/// Strips tracing id, warnings and custom payload, which the header's flags announce, from a body.
///
/// # Errors
/// When the body ends within one of them.
#[inline]
pub fn payload<'a>(header: &Header, body: &'a [u8]) -> Result<&'a [u8], FrameError> {
    if header.flags & (flag::TRACING | flag::WARNING | flag::CUSTOM_PAYLOAD) == 0 {
        return Ok(body);
    }
    strip(header, body)
}

#[cold]
fn strip<'a>(header: &Header, mut body: &'a [u8]) -> Result<&'a [u8], FrameError> {
    if header.flags & flag::TRACING != 0 {
        read::skip(&mut body, 16, "tracing id")?;
    }
    if header.flags & flag::WARNING != 0 {
        read::string_list(&mut body)?;
    }
    if header.flags & flag::CUSTOM_PAYLOAD != 0 {
        for _ in 0..read::short(&mut body)? {
            read::short_bytes(&mut body)?;
            read::bytes(&mut body)?;
        }
    }
    Ok(body)
}

/// ERROR: code and message.
///
/// # Errors
/// When the body is cut short.
pub fn error(mut body: &[u8]) -> Result<(ErrorCode, String), FrameError> {
    Ok((ErrorCode(read::int(&mut body)?), read::string(&mut body)?))
}

/// RESULT of a PREPARE: statement id, in version 5 the result metadata id, and the number of values to bind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prepared {
    pub id: Vec<u8>,
    pub result_metadata_id: Vec<u8>,
    pub bind_columns: i32,
}

/// # Errors
/// When the body is cut short.
pub fn prepared(version5: bool, mut body: &[u8]) -> Result<Prepared, FrameError> {
    read::int(&mut body)?;
    let id = read::short_bytes(&mut body)?.to_vec();
    let result_metadata_id = if version5 { read::short_bytes(&mut body)?.to_vec() } else { Vec::new() };
    read::int(&mut body)?;
    let bind_columns = read::int(&mut body)?;
    Ok(Prepared { id, result_metadata_id, bind_columns })
}

/// The front of a Rows RESULT: number of rows, paging state if more rows follow, new metadata id in version 5.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Page<'a> {
    pub rows: i32,
    pub paging_state: Option<&'a [u8]>,
    pub new_metadata_id: Option<&'a [u8]>,
}

/// Reads the front of a Rows RESULT after its kind.
///
/// # Errors
/// When the body is cut short or has a column type that cannot be skipped.
pub fn rows<'a>(body: &mut &'a [u8]) -> Result<Page<'a>, FrameError> {
    let flags = read::int(body)?;
    let columns = read::int(body)?;
    let paging_state = if flags & HAS_MORE_PAGES != 0 { read::bytes(body)? } else { None };
    let new_metadata_id = if flags & METADATA_CHANGED != 0 { Some(read::short_bytes(body)?) } else { None };
    if flags & NO_METADATA == 0 {
        if flags & GLOBAL_TABLES_SPEC != 0 {
            read::short_bytes(body)?;
            read::short_bytes(body)?;
        }
        for _ in 0..columns {
            if flags & GLOBAL_TABLES_SPEC == 0 {
                read::short_bytes(body)?;
                read::short_bytes(body)?;
            }
            read::short_bytes(body)?;
            skip_type(body)?;
        }
    }
    Ok(Page { rows: read::int(body)?, paging_state, new_metadata_id })
}

fn skip_type(body: &mut &[u8]) -> Result<(), FrameError> {
    match read::short(body)? {
        0x0000 => read::short_bytes(body).map(|_| ()),
        0x0020 | 0x0022 => skip_type(body),
        0x0021 => skip_type(body).and_then(|()| skip_type(body)),
        0x0030 => {
            read::short_bytes(body)?;
            read::short_bytes(body)?;
            for _ in 0..read::short(body)? {
                read::short_bytes(body)?;
                skip_type(body)?;
            }
            Ok(())
        }
        0x0031 => (0..read::short(body)?).try_for_each(|_| skip_type(body)),
        _ => Ok(()),
    }
}
