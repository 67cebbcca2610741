//! Typed values and rows of the system tables that drivers read.

use cql::{response::kind, write};

/// Column types with the codes of the protocol.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Type {
    Native(u16),
    List(Box<Type>),
    Set(Box<Type>),
    Map(Box<Type>, Box<Type>),
}

const NATIVE: [(&str, u16); 20] = [
    ("ascii", 0x01),
    ("bigint", 0x02),
    ("blob", 0x03),
    ("boolean", 0x04),
    ("counter", 0x05),
    ("decimal", 0x06),
    ("double", 0x07),
    ("float", 0x08),
    ("int", 0x09),
    ("timestamp", 0x0b),
    ("uuid", 0x0c),
    ("text", 0x0d),
    ("varchar", 0x0d),
    ("varint", 0x0e),
    ("timeuuid", 0x0f),
    ("inet", 0x10),
    ("date", 0x11),
    ("time", 0x12),
    ("smallint", 0x13),
    ("tinyint", 0x14),
];

impl Type {
    /// Returns a native type by its CQL name; blob, which takes any bytes, for an unknown name.
    pub(crate) fn named(name: &str) -> Self {
        let lower = name.to_ascii_lowercase();
        if let Some(inner) = lower.strip_prefix("frozen<") {
            return Self::named(inner.trim_end_matches('>'));
        }
        Type::Native(NATIVE.iter().find(|(known, _)| *known == lower).map_or(0x03, |(_, code)| *code))
    }

    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        match self {
            Type::Native(code) => write::short(*code, out),
            Type::List(inner) => {
                write::short(0x20, out);
                inner.write(out);
            }
            Type::Map(key, value) => {
                write::short(0x21, out);
                key.write(out);
                value.write(out);
            }
            Type::Set(inner) => {
                write::short(0x22, out);
                inner.write(out);
            }
        }
    }
}

/// A column of a result or a value to bind.
#[derive(Debug, Clone)]
pub(crate) struct Column {
    pub(crate) name: String,
    pub(crate) column_type: Type,
}

/// A small result: columns and encoded cells.
#[derive(Debug, Clone, Default)]
pub(crate) struct Table {
    pub(crate) columns: Vec<Column>,
    pub(crate) rows: Vec<Vec<Option<Vec<u8>>>>,
}

impl Table {
    /// Appends the body of a Rows RESULT.
    pub(crate) fn write(&self, keyspace: &str, table: &str, out: &mut Vec<u8>) {
        write::int(kind::ROWS, out);
        write_columns(&self.columns, keyspace, table, out);
        write::int(self.rows.len() as i32, out);
        for cell in self.rows.iter().flatten() {
            match cell {
                Some(bytes) => write::bytes(bytes, out),
                None => write::int(-1, out),
            }
        }
    }
}

/// Appends the metadata of a result: flags, count, one table for all columns, columns.
pub(crate) fn write_columns(columns: &[Column], keyspace: &str, table: &str, out: &mut Vec<u8>) {
    const GLOBAL_TABLES_SPEC: i32 = 1;
    write::int(GLOBAL_TABLES_SPEC, out);
    write::int(columns.len() as i32, out);
    write::string(keyspace, out);
    write::string(table, out);
    write_specs(columns, out);
}

pub(crate) fn write_specs(columns: &[Column], out: &mut Vec<u8>) {
    for column in columns {
        write::string(&column.name, out);
        column.column_type.write(out);
    }
}

/// Writes a set, list or map of encoded elements.
pub(crate) fn collection(count: usize, elements: &[&[u8]]) -> Vec<u8> {
    let mut out = Vec::new();
    write::int(count as i32, &mut out);
    for element in elements {
        write::bytes(element, &mut out);
    }
    out
}
