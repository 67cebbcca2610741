//! The CQL of a statement, with `:name` for each value to bind.

use crate::column::Column;
use crate::error::{Result, WorkloadError};
use crate::format::{By, StatementYaml};
use crate::role::Role;
use crate::table::Table;

/// A statement before its values are bound.
pub(crate) struct Draft {
    pub cql: String,
    pub is_write: bool,
    pub is_whole_row: bool,
}

pub(crate) fn draft(field: &str, yaml: &StatementYaml, table: &Table) -> Result<Draft> {
    let chosen = chosen_columns(field, yaml, table)?;
    let full_name = &table.full_name;
    let condition = yaml.condition.as_ref().map(|condition| format!(" IF {condition}")).unwrap_or_default();
    let using = yaml.ttl.map(|ttl| format!(" USING TTL {}", ttl.0.as_secs())).unwrap_or_default();
    let key = |partition_only: bool| {
        let wanted = table.with_role(Role::PartitionKey);
        let rest = table.with_role(Role::Clustering).filter(|_| !partition_only);
        wanted.chain(rest).map(|column| format!("{0} = :{0}", column.name)).collect::<Vec<_>>().join(" AND ")
    };
    let names = |columns: &[&Column]| columns.iter().map(|column| column.name.clone()).collect::<Vec<_>>().join(", ");
    if yaml.select.is_some() && (yaml.ttl.is_some() || yaml.condition.is_some() || yaml.batch.is_some()) {
        return Err(WorkloadError::at(field, "ttl, if and batch are for writes"));
    }
    if yaml.cql.is_some() && (yaml.ttl.is_some() || yaml.condition.is_some() || yaml.limit.is_some()) {
        return Err(WorkloadError::at(field, "with cql, write ttl, if and limit into the cql"));
    }
    let is_whole_row = yaml.insert.is_some() && yaml.columns.is_empty() && yaml.condition.is_none();
    let (cql, is_write) = if yaml.insert.is_some() {
        if table.is_counter() {
            return Err(WorkloadError::at(format!("{field}.insert"), "a counter table takes update only"));
        }
        let all: Vec<&Column> = match chosen.is_empty() {
            true => table.columns.values().collect(),
            false => table.columns.values().filter(|column| column.role.is_key()).chain(chosen).collect(),
        };
        let values = all.iter().map(|column| format!(":{}", column.name)).collect::<Vec<_>>().join(", ");
        (format!("INSERT INTO {full_name} ({}) VALUES ({values}){condition}{using}", names(&all)), true)
    } else if yaml.update.is_some() {
        let set: Vec<&Column> = match chosen.is_empty() {
            true => table.columns.values().filter(|column| !column.role.is_key()).collect(),
            false => chosen,
        };
        if set.is_empty() {
            return Err(WorkloadError::at(format!("{field}.update"), "the table has no column outside its key"));
        }
        let assign = |column: &&Column| match table.is_counter() {
            true => format!("{0} = {0} + :{0}", column.name),
            false => format!("{0} = :{0}", column.name),
        };
        let set = set.iter().map(assign).collect::<Vec<_>>().join(", ");
        (format!("UPDATE {full_name}{using} SET {set} WHERE {}{condition}", key(false)), true)
    } else if yaml.delete.is_some() {
        let columns = if chosen.is_empty() { String::new() } else { format!("{} ", names(&chosen)) };
        (format!("DELETE {columns}FROM {full_name} WHERE {}{condition}", key(yaml.by == By::Partition)), true)
    } else if yaml.select.is_some() {
        let columns =
            if chosen.is_empty() { names(&table.columns.values().collect::<Vec<_>>()) } else { names(&chosen) };
        let limit = yaml.limit.map(|rows| format!(" LIMIT {rows}")).unwrap_or_default();
        (format!("SELECT {columns} FROM {full_name} WHERE {}{limit}", key(yaml.by == By::Partition)), false)
    } else {
        let own = yaml.cql.as_deref().unwrap_or_default().trim().trim_end_matches(';');
        if !own.contains("{table}") {
            return Err(WorkloadError::at(format!("{field}.cql"), "write {table} in place of the table's name"));
        }
        let is_read = own.get(..6).is_some_and(|verb| verb.eq_ignore_ascii_case("select"));
        (own.replace("{table}", full_name), !is_read)
    };
    Ok(Draft { cql, is_write, is_whole_row })
}

fn chosen_columns<'a>(field: &str, yaml: &StatementYaml, table: &'a Table) -> Result<Vec<&'a Column>> {
    let field = format!("{field}.columns");
    if yaml.cql.is_some() && !yaml.columns.is_empty() {
        return Err(WorkloadError::at(field, "does not go with cql"));
    }
    yaml.columns
        .iter()
        .map(|name| match table.columns.get(name) {
            None => Err(WorkloadError::at(&field, format!("'{name}' is not a column of {}", table.name))),
            Some(column) if column.role.is_key() && yaml.select.is_none() => {
                Err(WorkloadError::at(&field, format!("'{name}' is part of the key, which is always included")))
            }
            Some(column) => Ok(column),
        })
        .collect()
}
