//! Compiles a column's YAML to its generator.

use crate::cql_type::{CqlType, UserTypes};
use crate::draw::DISTINCT_CHARS;
use crate::error::{Result, WorkloadError};
use crate::fill;
use crate::format::ColumnYaml;
use crate::generator::{Fill, Generator, WholeDraw};
use crate::role::{Role, Salts};

/// A column with the generator of its values.
#[derive(Debug, Clone)]
pub(crate) struct Column {
    pub name: String,
    pub cql_type: CqlType,
    pub role: Role,
    pub generator: Generator,
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
        Some(generate) => fill::from_yaml(&cql_type, role, generate, salts),
        None => fill::default_for(&cql_type, role, salts),
    };
    let fill = fill.map_err(|message| WorkloadError::at(field, message))?;
    Ok(Column { name: name.to_string(), cql_type, role, generator: Generator { salt: salts.column, fill } })
}

impl Column {
    /// Checks that `count` indexes give `count` different values. A primary key needs one such column: otherwise rows
    /// overwrite each other and cannot be verified.
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
            "'{}' does not give {count} different values; use sequence, uuid, time, text of size {DISTINCT_CHARS} or \
             more, or bytes of size 8 or more for one column of this key",
            self.name
        ))
    }
}
