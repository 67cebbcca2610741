//! Bodies of the messages a client sends.

use crate::{Version, write};

/// Flags of QUERY and EXECUTE parameters.
pub mod flag {
    pub const VALUES: u32 = 0x01;
    pub const SKIP_METADATA: u32 = 0x02;
    pub const PAGE_SIZE: u32 = 0x04;
    pub const PAGING_STATE: u32 = 0x08;
    pub const SERIAL_CONSISTENCY: u32 = 0x10;
    pub const DEFAULT_TIMESTAMP: u32 = 0x20;
    pub const KEYSPACE: u32 = 0x80;
}

/// STARTUP: the connection's settings.
pub fn startup(lz4: bool, out: &mut Vec<u8>) {
    let settings = [
        ("CQL_VERSION", "3.0.0"),
        ("DRIVER_NAME", "metronome"),
        ("DRIVER_VERSION", env!("CARGO_PKG_VERSION")),
        ("COMPRESSION", "lz4"),
    ];
    let n = if lz4 { settings.len() } else { settings.len() - 1 };
    write::string_map(settings[..n].iter().copied(), out);
}

/// AUTH_RESPONSE: user and password for SASL PLAIN (RFC 4616).
pub fn plain_credentials(user: &str, password: &str, out: &mut Vec<u8>) {
    write::int((user.len() + password.len() + 2) as i32, out);
    out.push(0);
    out.extend_from_slice(user.as_bytes());
    out.push(0);
    out.extend_from_slice(password.as_bytes());
}

/// PREPARE: one statement.
pub fn prepare(version: Version, cql: &str, out: &mut Vec<u8>) {
    write::long_string(cql, out);
    if version >= Version::V5 {
        write::int(0, out);
    }
}

/// The constant part of an EXECUTE of one prepared statement on one connection.
#[derive(Debug, Clone)]
pub struct ExecuteParameters<'a> {
    pub id: &'a [u8],
    /// Sent in version 5 only.
    pub result_metadata_id: &'a [u8],
    /// Code of the consistency level (specification, section 3).
    pub consistency: u16,
    pub serial_consistency: Option<u16>,
    pub page_size: Option<i32>,
    pub timestamps: bool,
}

/// An EXECUTE body without its values: `head`, then the values, then page size, paging state, serial consistency and
/// timestamp.
#[derive(Debug, Clone)]
pub struct ExecuteTemplate {
    head: Vec<u8>,
    head_paged: Vec<u8>,
    page_size: Option<i32>,
    serial_consistency: Option<u16>,
    timestamps: bool,
}

impl ExecuteTemplate {
    pub fn new(version: Version, parameters: &ExecuteParameters<'_>) -> Self {
        let mut flags = flag::VALUES | flag::SKIP_METADATA;
        flags |= parameters.page_size.map_or(0, |_| flag::PAGE_SIZE);
        flags |= parameters.serial_consistency.map_or(0, |_| flag::SERIAL_CONSISTENCY);
        flags |= if parameters.timestamps { flag::DEFAULT_TIMESTAMP } else { 0 };
        let head = |flags: u32| {
            let mut head = Vec::new();
            write::short_bytes(parameters.id, &mut head);
            if version >= Version::V5 {
                write::short_bytes(parameters.result_metadata_id, &mut head);
            }
            write::short(parameters.consistency, &mut head);
            match version {
                Version::V4 => head.push(flags as u8),
                Version::V5 => head.extend_from_slice(&flags.to_be_bytes()),
            }
            head
        };
        Self {
            head: head(flags),
            head_paged: head(flags | flag::PAGING_STATE),
            page_size: parameters.page_size,
            serial_consistency: parameters.serial_consistency,
            timestamps: parameters.timestamps,
        }
    }

    /// Appends an EXECUTE body. `values` appends the count and the values; `paging_state` asks for the next page.
    #[inline]
    pub fn write(
        &self,
        values: impl FnOnce(&mut Vec<u8>),
        paging_state: Option<&[u8]>,
        timestamp_us: i64,
        out: &mut Vec<u8>,
    ) {
        out.extend_from_slice(if paging_state.is_some() { &self.head_paged } else { &self.head });
        values(out);
        if let Some(page_size) = self.page_size {
            write::int(page_size, out);
        }
        if let Some(state) = paging_state {
            write::bytes(state, out);
        }
        if let Some(serial) = self.serial_consistency {
            write::short(serial, out);
        }
        if self.timestamps {
            write::long(timestamp_us, out);
        }
    }
}
