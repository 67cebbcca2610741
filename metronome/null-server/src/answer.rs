//! Answers to requests outside of the hot path.

use crate::catalogue::{Catalogue, Kind, Statement};
use crate::rows::{Table, write_columns, write_specs};
use cql::{ErrorCode, FrameError, Opcode, Outbox, Version, read, response::kind, write};
use std::net::SocketAddr;

/// Flags of a result without metadata.
const NO_METADATA: i32 = 4;

/// Answers QUERY.
pub(crate) fn query(
    catalogue: &mut Catalogue,
    stream: i16,
    mut body: &[u8],
    address: SocketAddr,
    outbox: &mut Outbox,
) -> Result<(), FrameError> {
    let cql = read::long_string(&mut body)?;
    let statement = catalogue.parse(&cql);
    if statement.kind == Kind::Schema {
        catalogue.create(&cql);
    }
    statement_result(catalogue, &statement, stream, address, outbox);
    Ok(())
}

/// Answers a statement, prepared or unprepared.
pub(crate) fn statement_result(
    catalogue: &Catalogue,
    statement: &Statement,
    stream: i16,
    address: SocketAddr,
    outbox: &mut Outbox,
) {
    match statement.kind {
        Kind::Write | Kind::Schema => outbox.message(stream, Opcode::RESULT, |out| write::int(kind::VOID, out)),
        Kind::Read => outbox.message(stream, Opcode::RESULT, no_rows),
        Kind::Use => outbox.message(stream, Opcode::RESULT, |out| {
            write::int(kind::SET_KEYSPACE, out);
            write::string(&statement.table, out);
        }),
        Kind::System => match catalogue.system_table(statement, address) {
            Some(table) => outbox.message(stream, Opcode::RESULT, |out| {
                let (keyspace, name) = statement.table.split_once('.').unwrap_or(("system", "local"));
                table.write(keyspace, name, out);
            }),
            None => error(stream, ErrorCode::INVALID, &format!("unconfigured table {}", statement.table), outbox),
        },
    }
}

/// Writes a Rows RESULT without rows.
pub(crate) fn no_rows(out: &mut Vec<u8>) {
    write::int(kind::ROWS, out);
    write::int(NO_METADATA, out);
    write::int(0, out);
    write::int(0, out);
}

/// Answers PREPARE.
pub(crate) fn prepare(
    catalogue: &mut Catalogue,
    stream: i16,
    mut body: &[u8],
    address: SocketAddr,
    outbox: &mut Outbox,
) -> Result<(), FrameError> {
    let cql = read::long_string(&mut body)?;
    let (number, statement) = catalogue.prepare(&cql);
    let version = outbox.version();
    let (keyspace, table) = statement.table.split_once('.').unwrap_or(("", &statement.table));
    let result = match statement.kind {
        Kind::System => catalogue.system_table(&statement, address).unwrap_or_default(),
        _ => Table::default(),
    };
    outbox.message(stream, Opcode::RESULT, |out| {
        write::int(kind::PREPARED, out);
        write::short_bytes(&prepared_id(statement.kind, number), out);
        if version >= Version::V5 {
            write::short_bytes(&number.to_be_bytes(), out);
        }
        write::int(1, out);
        write::int(statement.bound.len() as i32, out);
        write::int(statement.key.len() as i32, out);
        for position in &statement.key {
            write::short(*position, out);
        }
        write::string(keyspace, out);
        write::string(table, out);
        write_specs(&statement.bound, out);
        if result.columns.is_empty() {
            write::int(NO_METADATA, out);
            write::int(0, out);
        } else {
            write_columns(&result.columns, keyspace, table, out);
        }
    });
    Ok(())
}

/// Makes an id that contains the kind of the statement, so that EXECUTE needs no lookup. Its length is that of
/// Cassandra's ids, which are MD5.
fn prepared_id(kind: Kind, number: u32) -> [u8; 16] {
    let mut id = [0; 16];
    id[0] = kind as u8;
    id[12..].copy_from_slice(&number.to_be_bytes());
    id
}

/// Reads the number of a statement from its id.
pub(crate) fn statement_number(id: &[u8]) -> u32 {
    id.last_chunk::<4>().map_or(u32::MAX, |n| u32::from_be_bytes(*n))
}

pub(crate) fn error(stream: i16, code: ErrorCode, message: &str, outbox: &mut Outbox) {
    outbox.message(stream, Opcode::ERROR, |out| {
        write::int(code.0, out);
        write::string(message, out);
        if code == ErrorCode::UNPREPARED {
            write::short_bytes(&[], out);
        }
    });
}

/// Answers OPTIONS.
pub(crate) fn supported(stream: i16, outbox: &mut Outbox) {
    outbox.message(stream, Opcode::SUPPORTED, |out| {
        write::short(3, out);
        for (key, values) in
            [("COMPRESSION", &["lz4"][..]), ("CQL_VERSION", &["3.4.7"]), ("PROTOCOL_VERSIONS", &["4/v4", "5/v5"])]
        {
            write::string(key, out);
            write::short(values.len() as u16, out);
            values.iter().for_each(|v| write::string(v, out));
        }
    });
}
