//! From a column's YAML to its generator.

use crate::cql_type::{CqlType, UserTypes};
use crate::draw::DISTINCT_CHARS;
use crate::error::{Result, WorkloadError};
use crate::fill;
use crate::format::ColumnYaml;
use crate::generator::{Fill, Generator, Place, WholeDraw};

/// Which index a column's values are drawn from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    PartitionKey,
    Clustering,
    Static,
    Regular,
}

impl Role {
    pub(crate) fn is_key(self) -> bool {
        matches!(self, Role::PartitionKey | Role::Clustering)
    }

    #[inline]
    pub(crate) fn index(self, place: &Place) -> u64 {
        match self {
            Role::PartitionKey | Role::Static => place.partition,
            Role::Clustering => place.clustering,
            Role::Regular => place.row,
        }
    }
}

/// A column with the generator of its values.
#[derive(Debug, Clone)]
pub(crate) struct Column {
    pub name: String,
    pub cql_type: CqlType,
    pub role: Role,
    pub generator: Generator,
}

/// Salts: one of the column alone, one that all columns of the table share.
#[derive(Clone, Copy)]
pub(crate) struct Salts {
    pub column: u64,
    pub table: u64,
}

pub(crate) fn compile(
    field: &str,
    name: &str,
    role: Role,
    yaml: &ColumnYaml,
    salts: Salts,
    types: &UserTypes,
) -> Result<Column> {
    let cql_type =
        CqlType::parse(&yaml.cql_type, types).map_err(|message| WorkloadError::at(format!("{field}.type"), message))?;
    let field = format!("{field}.generate");
    let fill = match &yaml.generate {
        Some(generate) => fill::explicit(&cql_type, role, generate, salts),
        None => fill::usual(&cql_type, role, salts),
    };
    let fill = fill.map_err(|message| WorkloadError::at(field, message))?;
    Ok(Column { name: name.to_string(), cql_type, role, generator: Generator { salt: salts.column, fill } })
}

impl Column {
    /// Whether `count` indexes give as many different values. A primary key needs one such column, or rows would
    /// overwrite each other unseen and could not be verified.
    pub(crate) fn distinct(&self, count: u64) -> std::result::Result<(), String> {
        let ok = match &self.generator.fill {
            Fill::Whole(number, WholeDraw::Sequence { start, step }) => {
                let last = i128::from(*start) + i128::from(*step) * i128::from(count.saturating_sub(1));
                let (min, max) = number.range();
                *step != 0 && (i128::from(min)..=i128::from(max)).contains(&last)
            }
            Fill::Digits { step, .. } => *step != 0,
            Fill::Text { distinct, .. } => *distinct,
            Fill::Bytes(size) => size.min >= 8,
            Fill::Uuid => true,
            Fill::Timestamp(ticks) | Fill::Timeuuid(ticks) => ticks.step_ms != 0,
            Fill::Date(ticks) => ticks.step_ms >= 86_400_000,
            _ => false,
        };
        if ok || count <= 1 {
            return Ok(());
        }
        Err(format!(
            "'{}' does not give {count} different values; use sequence, uuid, time, text of size {DISTINCT_CHARS} or more, \
             or bytes of size 8 or more for one column of this key",
            self.name
        ))
    }
}
