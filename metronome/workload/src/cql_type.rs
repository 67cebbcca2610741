use std::fmt;
use std::str::FromStr;

/// The CQL types a workload can fill.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CqlType {
    Ascii,
    Bigint,
    Blob,
    Boolean,
    Counter,
    Date,
    Double,
    Float,
    Inet,
    Int,
    Smallint,
    Text,
    Time,
    Timestamp,
    Timeuuid,
    Tinyint,
    Uuid,
    /// `vector<float, n>`, Cassandra 5.0.
    FloatVector(u16),
}

const NAMES: &[(&str, CqlType)] = &[
    ("ascii", CqlType::Ascii),
    ("bigint", CqlType::Bigint),
    ("blob", CqlType::Blob),
    ("boolean", CqlType::Boolean),
    ("counter", CqlType::Counter),
    ("date", CqlType::Date),
    ("double", CqlType::Double),
    ("float", CqlType::Float),
    ("inet", CqlType::Inet),
    ("int", CqlType::Int),
    ("smallint", CqlType::Smallint),
    ("text", CqlType::Text),
    ("time", CqlType::Time),
    ("timestamp", CqlType::Timestamp),
    ("timeuuid", CqlType::Timeuuid),
    ("tinyint", CqlType::Tinyint),
    ("uuid", CqlType::Uuid),
];

/// How a number goes over the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Number {
    I8,
    I16,
    I32,
    I64,
    F32,
    F64,
}

impl Number {
    pub(crate) fn width(self) -> usize {
        match self {
            Number::I8 => 1,
            Number::I16 => 2,
            Number::I32 | Number::F32 => 4,
            Number::I64 | Number::F64 => 8,
        }
    }

    /// Inclusive range of whole numbers it can hold exactly.
    pub(crate) fn range(self) -> (i64, i64) {
        match self {
            Number::I8 => (i8::MIN.into(), i8::MAX.into()),
            Number::I16 => (i16::MIN.into(), i16::MAX.into()),
            Number::I32 => (i32::MIN.into(), i32::MAX.into()),
            Number::I64 => (i64::MIN, i64::MAX),
            Number::F32 => (-(1 << 24), 1 << 24),
            Number::F64 => (-(1 << 53), 1 << 53),
        }
    }

    pub(crate) fn is_float(self) -> bool {
        matches!(self, Number::F32 | Number::F64)
    }
}

impl CqlType {
    pub(crate) fn as_number(self) -> Option<Number> {
        Some(match self {
            CqlType::Tinyint => Number::I8,
            CqlType::Smallint => Number::I16,
            CqlType::Int => Number::I32,
            CqlType::Bigint | CqlType::Counter => Number::I64,
            CqlType::Float => Number::F32,
            CqlType::Double => Number::F64,
            _ => return None,
        })
    }

    pub(crate) fn is_text(self) -> bool {
        matches!(self, CqlType::Text | CqlType::Ascii)
    }
}

impl FromStr for CqlType {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wanted = text.trim().to_ascii_lowercase();
        let wanted = if wanted == "varchar" { "text" } else { &wanted };
        if let Some(inner) = wanted.strip_prefix("vector<float,").and_then(|rest| rest.strip_suffix('>')) {
            return match inner.trim().parse::<u16>() {
                Ok(dimensions @ 1..=8192) => Ok(CqlType::FloatVector(dimensions)),
                _ => Err(format!("'{text}': a vector has 1 to 8192 dimensions, as in vector<float, 128>")),
            };
        }
        NAMES.iter().find(|(name, _)| *name == wanted).map(|(_, found)| *found).ok_or_else(|| {
            let names: Vec<_> = NAMES.iter().map(|(name, _)| *name).collect();
            format!("unknown type '{text}'; use one of {}, vector<float, n>", names.join(", "))
        })
    }
}

impl fmt::Display for CqlType {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let CqlType::FloatVector(dimensions) = self {
            return write!(out, "vector<float, {dimensions}>");
        }
        let (name, _) = NAMES.iter().find(|(_, listed)| listed == self).expect("every type has a name");
        out.write_str(name)
    }
}
