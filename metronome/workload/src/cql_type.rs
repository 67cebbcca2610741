//! CQL types.

use std::fmt;
use std::sync::Arc;

use indexmap::IndexMap;

/// The CQL types that a workload can fill.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CqlType {
    Ascii,
    Bigint,
    Blob,
    Boolean,
    Counter,
    Date,
    Decimal,
    Double,
    Duration,
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
    Varint,
    /// `vector<float, n>`, Cassandra 5.0.
    FloatVector(u16),
    List(Box<CqlType>),
    Set(Box<CqlType>),
    Map(Box<CqlType>, Box<CqlType>),
    User(Arc<UserType>),
    Frozen(Box<CqlType>),
}

/// A user-defined type.
#[derive(Debug, PartialEq, Eq)]
pub struct UserType {
    pub name: String,
    pub fields: Vec<(String, CqlType)>,
}

/// The user-defined types of a workload by name.
pub(crate) type UserTypes = IndexMap<String, Arc<UserType>>;

const NAMES: &[(&str, CqlType)] = &[
    ("ascii", CqlType::Ascii),
    ("bigint", CqlType::Bigint),
    ("blob", CqlType::Blob),
    ("boolean", CqlType::Boolean),
    ("counter", CqlType::Counter),
    ("date", CqlType::Date),
    ("decimal", CqlType::Decimal),
    ("double", CqlType::Double),
    ("duration", CqlType::Duration),
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
    ("varint", CqlType::Varint),
];

/// The wire format of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Number {
    I8,
    I16,
    I32,
    I64,
    F32,
    F64,
    Varint,
    Decimal,
}

impl Number {
    pub(crate) fn max_bytes(self) -> usize {
        match self {
            Number::I8 => 1,
            Number::I16 => 2,
            Number::I32 | Number::F32 => 4,
            Number::I64 | Number::F64 | Number::Varint => 8,
            Number::Decimal => 12,
        }
    }

    /// The range of whole numbers generated for it, both bounds included; each can be represented exactly.
    pub(crate) fn range(self) -> (i64, i64) {
        match self {
            Number::I8 => (i8::MIN.into(), i8::MAX.into()),
            Number::I16 => (i16::MIN.into(), i16::MAX.into()),
            Number::I32 => (i32::MIN.into(), i32::MAX.into()),
            Number::I64 | Number::Varint => (i64::MIN, i64::MAX),
            Number::F32 => (-(1 << 24), 1 << 24),
            Number::F64 | Number::Decimal => (-(1 << 53), 1 << 53),
        }
    }

    /// Whether it holds fractions.
    pub(crate) fn is_real(self) -> bool {
        matches!(self, Number::F32 | Number::F64 | Number::Decimal)
    }
}

impl CqlType {
    /// Parses a type in CQL notation. Looks up names that CQL does not know in `types`.
    ///
    /// # Errors
    /// When the text is not a type, with the list of valid ones.
    pub(crate) fn parse(text: &str, types: &UserTypes) -> Result<Self, String> {
        let wanted = text.trim().to_ascii_lowercase();
        if let Some((outer, inside)) = wanted.strip_suffix('>').and_then(|rest| rest.split_once('<')) {
            return Self::parse_composite(outer.trim(), &arguments(inside), text, types);
        }
        let wanted = if wanted == "varchar" { "text" } else { &wanted };
        if let Some((_, found)) = NAMES.iter().find(|(name, _)| *name == wanted) {
            return Ok(found.clone());
        }
        types.get(wanted).map(|found| CqlType::User(Arc::clone(found))).ok_or_else(|| {
            let names: Vec<_> = NAMES.iter().map(|(name, _)| *name).collect();
            format!(
                "unknown type '{text}'; use one of {}, list<>, set<>, map<,>, frozen<>, vector<float, n>, or a \
                 type defined earlier under types",
                names.join(", ")
            )
        })
    }

    fn parse_composite(outer: &str, inside: &[&str], text: &str, types: &UserTypes) -> Result<Self, String> {
        let inner = |at: usize| Self::parse(inside[at], types).map(Box::new);
        match (outer, inside.len()) {
            ("list", 1) => Ok(CqlType::List(inner(0)?)),
            ("set", 1) => Ok(CqlType::Set(inner(0)?)),
            ("map", 2) => Ok(CqlType::Map(inner(0)?, inner(1)?)),
            ("frozen", 1) => Ok(CqlType::Frozen(inner(0)?)),
            ("vector", 2) if inside[0] == "float" => match inside[1].parse::<u16>() {
                Ok(dimensions @ 1..=8192) => Ok(CqlType::FloatVector(dimensions)),
                _ => Err(format!("'{text}': a vector has 1 to 8192 dimensions, as in vector<float, 128>")),
            },
            _ => {
                Err(format!("'{text}' is not a type; write list<t>, set<t>, map<k, v>, frozen<t> or vector<float, n>"))
            }
        }
    }

    pub(crate) fn as_number(&self) -> Option<Number> {
        Some(match self {
            CqlType::Tinyint => Number::I8,
            CqlType::Smallint => Number::I16,
            CqlType::Int => Number::I32,
            CqlType::Bigint | CqlType::Counter => Number::I64,
            CqlType::Float => Number::F32,
            CqlType::Double => Number::F64,
            CqlType::Varint => Number::Varint,
            CqlType::Decimal => Number::Decimal,
            _ => return None,
        })
    }

    pub(crate) fn is_text(&self) -> bool {
        matches!(self, CqlType::Text | CqlType::Ascii)
    }

    /// Whether Cassandra keeps each element in a separate cell. Such a column has no single write time and is null
    /// without elements.
    pub fn is_multi_cell(&self) -> bool {
        matches!(self, CqlType::List(_) | CqlType::Set(_) | CqlType::Map(..) | CqlType::User(_))
    }
}

/// Splits at the commas outside of `<>`.
fn arguments(inside: &str) -> Vec<&str> {
    let mut depth = 0;
    let at_comma = |c: char| {
        depth += i32::from(c == '<') - i32::from(c == '>');
        c == ',' && depth == 0
    };
    inside.split(at_comma).map(str::trim).collect()
}

impl fmt::Display for CqlType {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CqlType::FloatVector(dimensions) => write!(out, "vector<float, {dimensions}>"),
            CqlType::List(of) => write!(out, "list<{of}>"),
            CqlType::Set(of) => write!(out, "set<{of}>"),
            CqlType::Map(key, value) => write!(out, "map<{key}, {value}>"),
            CqlType::Frozen(of) => write!(out, "frozen<{of}>"),
            CqlType::User(user) => out.write_str(&user.name),
            scalar => {
                let (name, _) = NAMES.iter().find(|(_, listed)| listed == scalar).expect("every scalar has a name");
                out.write_str(name)
            }
        }
    }
}

impl UserType {
    /// `CREATE TYPE IF NOT EXISTS ...`
    pub(crate) fn create(&self, keyspace: &str) -> String {
        let fields: Vec<String> = self.fields.iter().map(|(name, of)| format!("{name} {of}")).collect();
        format!("CREATE TYPE IF NOT EXISTS {keyspace}.{} ({})", self.name, fields.join(", "))
    }
}
