//! Compiles a statement's YAML to CQL and bound values.

use indexmap::IndexMap;
use rand_distr::Zipf;

use crate::column::{self, Column};
use crate::consistency::Consistency;
use crate::cql_type::UserTypes;
use crate::draft::{Draft, draft};
use crate::draw::{SLACK, salt};
use crate::error::{Result, WorkloadError};
use crate::fill;
use crate::format::{BatchKind, By, PickYaml, StatementYaml};
use crate::pick::Pick;
use crate::role::{Role, Salts};
use crate::statement::{Batch, BoundColumn, Slot, Statement};
use crate::table::{Table, check_name};
use crate::template::markers;

/// Maximum size of a frame (native_protocol_v5.spec, section 2.1).
const MAX_FRAME_BYTES: u64 = 256 << 20;

pub(crate) struct Context<'a> {
    pub tables: &'a IndexMap<String, Table>,
    pub types: &'a UserTypes,
    pub seed: u64,
    pub share: f64,
    /// Replaces the consistency of every statement.
    pub consistency: Option<Consistency>,
}

pub(crate) fn build(name: &str, yaml: &StatementYaml, context: &Context) -> Result<Statement> {
    let field = format!("statements.{name}");
    check_name(&field, name)?;
    let table = table_of(&field, yaml, context.tables)?;
    let draft = draft(&field, yaml, table)?;
    let batch = batch(&field, yaml, table, &draft)?;
    let (one, names) = markers(&draft.cql);
    let extra = extra_columns(&field, yaml, context)?;
    let one_row: Vec<&Column> = names
        .iter()
        .map(|marker| {
            extra.get(marker).or_else(|| table.columns.get(marker)).ok_or_else(|| {
                let known = table.columns.keys().cloned().collect::<Vec<_>>().join(", ");
                WorkloadError::at(
                    &field,
                    format!("':{marker}' is neither a column of {} ({known}) nor under bind", table.name),
                )
            })
        })
        .collect::<Result<_>>()?;
    let elements = batch.map_or(1, |batch| batch.rows);
    let max_bytes = check_size(&field, &one_row, elements)?;
    let slots: Vec<Slot> = (0..elements)
        .flat_map(|element| one_row.iter().map(move |column| (element, column)))
        .map(|(element, column)| Slot { generator: column.generator.clone(), role: column.role, element })
        .collect();
    let bound = one_row
        .iter()
        .map(|column| BoundColumn { name: column.name.clone(), cql_type: column.cql_type.clone() })
        .cycle()
        .take(slots.len())
        .collect();
    let serial = consistency(&format!("{field}.serial_consistency"), yaml.serial_consistency.as_deref())?;
    if serial.is_some_and(|level| !level.is_serial()) {
        return Err(WorkloadError::at(format!("{field}.serial_consistency"), "must be SERIAL or LOCAL_SERIAL"));
    }
    let written = consistency(&format!("{field}.consistency"), yaml.consistency.as_deref())?;
    let is_conditional = yaml.condition.is_some();
    let mut statement = Statement {
        name: name.to_string(),
        cql: repeat(&one, yaml, batch),
        table: table.full_name.clone(),
        share: context.share,
        consistency: context.consistency.or(written).unwrap_or(Consistency::LocalQuorum),
        serial_consistency: is_conditional.then_some(serial.unwrap_or(Consistency::LocalSerial)),
        is_write: draft.is_write,
        is_whole_row: draft.is_whole_row,
        ttl_s: yaml.ttl.map(|ttl| ttl.0.as_secs()).or(table.ttl_s).filter(|_| draft.is_write),
        page_size: yaml.page_size.map(|rows| rows.min(i32::MAX as u32) as i32),
        partition_key: partition_key(table, &names, batch),
        max_bytes,
        bound,
        slots,
        geometry: table.geometry,
        batch,
        pick: Pick::Sequence,
        salt: salt(context.seed, &["pick", name]),
    };
    statement.pick = pick(&format!("{field}.pick"), &yaml.pick, statement.row_count())?;
    Ok(statement)
}

/// Computes the size of the largest request.
fn check_size(field: &str, one_row: &[&Column], elements: u64) -> Result<usize> {
    let values = one_row.len() as u64 * elements;
    if values > u64::from(u16::MAX) {
        return Err(WorkloadError::at(field, format!("binds {values} values; the protocol allows 65535")));
    }
    let row_bytes: u64 = one_row.iter().map(|column| 4 + column.generator.max_bytes() as u64).sum();
    let bytes = 2 + row_bytes * elements;
    match bytes <= MAX_FRAME_BYTES {
        true => Ok(bytes as usize + SLACK),
        false => {
            Err(WorkloadError::at(field, format!("may need {bytes} bytes; the protocol allows {MAX_FRAME_BYTES}")))
        }
    }
}

/// Builds the SELECT of every column of one row by its whole primary key.
pub(crate) fn read_back(table: &Table, consistency: Consistency) -> Statement {
    let yaml: StatementYaml = serde_saphyr::from_str(&format!("select: {}\nconsistency: {consistency}", table.name))
        .expect("valid by construction");
    let tables = IndexMap::from([(table.name.clone(), table.clone())]);
    let types = UserTypes::new();
    let context = Context { tables: &tables, types: &types, seed: 0, share: 0.0, consistency: None };
    build("read_back", &yaml, &context).expect("every table can be read by its key")
}

fn table_of<'a>(field: &str, yaml: &StatementYaml, tables: &'a IndexMap<String, Table>) -> Result<&'a Table> {
    let kinds = [&yaml.insert, &yaml.update, &yaml.select, &yaml.delete, &yaml.cql];
    if kinds.iter().filter(|kind| kind.is_some()).count() != 1 {
        return Err(WorkloadError::at(field, "needs exactly one of insert, update, select, delete, cql"));
    }
    if yaml.cql.is_none() && yaml.table.is_some() {
        return Err(WorkloadError::at(format!("{field}.table"), "is only for cql"));
    }
    let named = [&yaml.insert, &yaml.update, &yaml.select, &yaml.delete, &yaml.table].into_iter().flatten().next();
    let name = named.ok_or_else(|| WorkloadError::at(format!("{field}.table"), "cql needs the table it works on"))?;
    tables.get(name).ok_or_else(|| {
        let known = tables.keys().cloned().collect::<Vec<_>>().join(", ");
        WorkloadError::at(field, format!("there is no table '{name}'; use one of {known}"))
    })
}

fn batch(field: &str, yaml: &StatementYaml, table: &Table, draft: &Draft) -> Result<Option<Batch>> {
    let field = format!("{field}.batch");
    let Some(wanted) = yaml.batch else { return Ok(None) };
    let rows = u64::from(wanted.rows);
    let available = match wanted.within {
        By::Partition => table.geometry.clustering_rows,
        By::Row => table.geometry.rows(),
    };
    if !draft.is_write {
        return Err(WorkloadError::at(field, "is for writes"));
    }
    if yaml.condition.is_some() && wanted.within == By::Row {
        return Err(WorkloadError::at(field, "a conditional batch must stay within one partition"));
    }
    if wanted.within == By::Partition && !table.has(Role::Clustering) {
        return Err(WorkloadError::at(field, "the table has one row in each partition; write within: row"));
    }
    match (1..=available).contains(&rows) {
        true => Ok(Some(Batch { rows, in_one_partition: wanted.within == By::Partition })),
        false => Err(WorkloadError::at(format!("{field}.rows"), format!("must be from 1 to {available}, not {rows}"))),
    }
}

/// Repeats a statement as a batch, which is prepared as one statement so that one EXECUTE sends it.
fn repeat(one: &str, yaml: &StatementYaml, batch: Option<Batch>) -> String {
    let (Some(batch), Some(wanted)) = (batch, yaml.batch) else { return one.to_string() };
    let kind = if wanted.kind == BatchKind::Unlogged { "UNLOGGED " } else { "" };
    format!("BEGIN {kind}BATCH {}APPLY BATCH", format!("{one}; ").repeat(batch.rows as usize))
}

fn extra_columns(field: &str, yaml: &StatementYaml, context: &Context) -> Result<IndexMap<String, Column>> {
    let compile = |(name, written): (&String, &crate::format::ShortOrFull<_>)| {
        let column = salt(context.seed, &[field, name]);
        let salts = Salts { column, table: column };
        let field = format!("{field}.bind.{name}");
        Ok((name.clone(), column::compile(&field, name, Role::Regular, &written.0, salts, context.types)?))
    };
    yaml.bind.iter().map(compile).collect()
}

fn partition_key(table: &Table, names: &[String], batch: Option<Batch>) -> Vec<usize> {
    if batch.is_some_and(|batch| !batch.in_one_partition && batch.rows > 1) {
        return Vec::new();
    }
    let position = |column: &Column| names.iter().position(|name| *name == column.name);
    let all: Option<Vec<usize>> = table.with_role(Role::PartitionKey).map(position).collect();
    all.unwrap_or_default()
}

fn consistency(field: &str, text: Option<&str>) -> Result<Option<Consistency>> {
    text.map(|text| text.parse().map_err(|message: String| WorkloadError::at(field, message))).transpose()
}

fn pick(field: &str, yaml: &PickYaml, rows: u64) -> Result<Pick> {
    let zipf = |exponent: f64| {
        Zipf::new(rows as f64, exponent).map_err(|_| WorkloadError::at(field, "zipf needs an exponent of 0 or more"))
    };
    Ok(match yaml {
        PickYaml::Sequence => Pick::Sequence,
        PickYaml::Uniform => Pick::Uniform,
        PickYaml::Zipf(yaml) => Pick::Zipf(zipf(yaml.exponent)?),
        PickYaml::Gaussian(yaml) if !(0.0..=1.0).contains(&yaml.mean) => {
            return Err(WorkloadError::at(field, "mean is a fraction of the rows, from 0 to 1"));
        }
        PickYaml::Gaussian(yaml) => {
            Pick::Gaussian(fill::normal(yaml.mean, yaml.stddev).map_err(|message| WorkloadError::at(field, message))?)
        }
        // Workload::load sets the writing statement.
        PickYaml::Written => Pick::Written { by: usize::MAX, latest: None },
        PickYaml::Latest => Pick::Written { by: usize::MAX, latest: Some(zipf(1.0)?) },
    })
}
