//! Tables: columns, keys, number of rows.

use indexmap::IndexMap;

use crate::column::{self, Column};
use crate::cql_type::{CqlType, UserTypes};
use crate::draw::salt;
use crate::error::{Result, WorkloadError};
use crate::format::{OneOrMany, TableYaml};
use crate::generator::Place;
use crate::role::{Role, Salts};

/// A table with the generators of its columns and its number of rows.
#[derive(Debug, Clone)]
pub(crate) struct Table {
    pub name: String,
    /// `keyspace.table`
    pub full_name: String,
    pub columns: IndexMap<String, Column>,
    pub geometry: Geometry,
    pub ttl_s: Option<u64>,
    with: Option<String>,
}

/// Mapping of row numbers to places: row = partition + partitions * clustering. Consecutive rows visit every partition
/// before any partition gets its second row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Geometry {
    pub partitions: u64,
    pub clustering_rows: u64,
}

impl Geometry {
    pub(crate) fn rows(self) -> u64 {
        self.partitions * self.clustering_rows
    }

    #[inline]
    pub(crate) fn place(self, row: u64) -> Place {
        if row < self.partitions {
            return Place { row, partition: row, clustering: 0 };
        }
        Place { row, partition: row % self.partitions, clustering: row / self.partitions }
    }

    #[inline]
    pub(crate) fn row(self, partition: u64, clustering: u64) -> u64 {
        partition + self.partitions * clustering
    }
}

/// Checks a name. Names go into CQL unquoted, so only names are allowed that CQL accepts unquoted.
pub(crate) fn check_name(field: &str, name: &str) -> Result<()> {
    let mut chars = name.chars();
    let ok = chars.next().is_some_and(|c| c.is_ascii_lowercase())
        && chars.all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
        && name.len() <= 48;
    match ok {
        true => Ok(()),
        false => {
            Err(WorkloadError::at(field, format!("'{name}': use a to z, 0 to 9 and _, a letter first, at most 48")))
        }
    }
}

impl Table {
    pub(crate) fn compile(keyspace: &str, name: &str, yaml: &TableYaml, seed: u64, types: &UserTypes) -> Result<Table> {
        let field = format!("tables.{name}");
        check_name(&field, name)?;
        let roles = key_roles(&field, yaml)?;
        let table_salt = salt(seed, &[name]);
        let mut columns = IndexMap::new();
        for (column, written) in &yaml.columns {
            let field = format!("{field}.columns.{column}");
            check_name(&field, column)?;
            let usual = if written.0.is_static { Role::Static } else { Role::Regular };
            let role = roles.get(column).copied().unwrap_or(usual);
            let salts = Salts { column: salt(seed, &[name, column]), table: table_salt };
            columns.insert(column.clone(), column::compile(&field, column, role, &written.0, salts, types)?);
        }
        // Columns of the key come first, in the order of the key, as is usual in CQL.
        let place = |name: &String| roles.get_index_of(name).unwrap_or(usize::MAX);
        columns.sort_by(|left, _, right, _| place(left).cmp(&place(right)));
        check_key_size(&field, &columns)?;
        let geometry = geometry(&field, yaml, &roles)?;
        let table = Table {
            name: name.to_string(),
            full_name: format!("{keyspace}.{name}"),
            columns,
            geometry,
            ttl_s: yaml.ttl.map(|ttl| ttl.0.as_secs()),
            with: yaml.with.clone(),
        };
        table.check_distinct(&field, Role::PartitionKey, geometry.partitions)?;
        if table.has(Role::Clustering) {
            table.check_distinct(&field, Role::Clustering, geometry.clustering_rows)?;
        }
        Ok(table)
    }

    fn check_distinct(&self, field: &str, role: Role, count: u64) -> Result<()> {
        let mut complaint = None;
        for column in self.with_role(role) {
            match column.distinct(count) {
                Ok(()) => return Ok(()),
                Err(message) => complaint = complaint.or(Some((column.name.clone(), message))),
            }
        }
        let (column, message) = complaint.expect("every key has a column");
        Err(WorkloadError::at(format!("{field}.columns.{column}.generate"), message))
    }

    pub(crate) fn with_role(&self, role: Role) -> impl Iterator<Item = &Column> {
        self.columns.values().filter(move |column| column.role == role)
    }

    pub(crate) fn has(&self, role: Role) -> bool {
        self.with_role(role).next().is_some()
    }

    pub(crate) fn is_counter(&self) -> bool {
        self.columns.values().any(|column| column.cql_type == CqlType::Counter)
    }

    /// `CREATE TABLE IF NOT EXISTS ...`
    pub(crate) fn create(&self) -> String {
        let columns: Vec<_> = self
            .columns
            .values()
            .map(|column| {
                let is_static = if column.role == Role::Static { " static" } else { "" };
                format!("{} {}{is_static}", column.name, column.cql_type)
            })
            .collect();
        let names = |role| self.with_role(role).map(|column| column.name.as_str()).collect::<Vec<_>>();
        let clustering: String = names(Role::Clustering).iter().map(|name| format!(", {name}")).collect();
        let mut options = Vec::new();
        options.extend(self.ttl_s.map(|seconds| format!("default_time_to_live = {seconds}")));
        options.extend(self.with.clone());
        let with = if options.is_empty() { String::new() } else { format!(" WITH {}", options.join(" AND ")) };
        format!(
            "CREATE TABLE IF NOT EXISTS {} ({}, PRIMARY KEY (({}){clustering})){with}",
            self.full_name,
            columns.join(", "),
            names(Role::PartitionKey).join(", ")
        )
    }
}

/// Checks the size of the primary key: sstables and routing keys hold it in 16 bits.
fn check_key_size(field: &str, columns: &IndexMap<String, Column>) -> Result<()> {
    let keys = columns.values().filter(|column| column.role.is_key());
    let mut bytes = 0;
    for column in keys {
        bytes += column.generator.max_bytes();
        if bytes > usize::from(u16::MAX) {
            let field = format!("{field}.columns.{}.generate", column.name);
            return Err(WorkloadError::at(
                field,
                format!("makes the primary key {bytes} bytes; Cassandra allows 65535"),
            ));
        }
    }
    Ok(())
}

fn key_roles(field: &str, yaml: &TableYaml) -> Result<IndexMap<String, Role>> {
    let field = format!("{field}.primary_key");
    let mut roles = IndexMap::new();
    for (at, part) in yaml.primary_key.iter().enumerate() {
        let (names, role) = match part {
            OneOrMany::One(name) => {
                (std::slice::from_ref(name), if at == 0 { Role::PartitionKey } else { Role::Clustering })
            }
            OneOrMany::Many(names) if at == 0 && !names.is_empty() => (names.as_slice(), Role::PartitionKey),
            OneOrMany::Many(_) => {
                return Err(WorkloadError::at(field, "only the first entry, the partition key, may be a list"));
            }
        };
        for name in names {
            if !yaml.columns.contains_key(name) {
                return Err(WorkloadError::at(field, format!("'{name}' is not one of the table's columns")));
            }
            if roles.insert(name.clone(), role).is_some() {
                return Err(WorkloadError::at(field, format!("'{name}' is in it twice")));
            }
        }
    }
    match roles.is_empty() {
        true => Err(WorkloadError::at(field, "needs at least one column")),
        false => Ok(roles),
    }
}

fn geometry(field: &str, yaml: &TableYaml, roles: &IndexMap<String, Role>) -> Result<Geometry> {
    let clustered = roles.values().any(|role| *role == Role::Clustering);
    let (name, per_partition) = match (clustered, yaml.clustering_rows, yaml.versions) {
        (true, rows, None) => ("clustering_rows", rows),
        (false, None, versions) => ("versions", versions),
        (true, _, Some(_)) => {
            let field = format!("{field}.versions");
            return Err(WorkloadError::at(field, "is for tables without clustering columns; use clustering_rows"));
        }
        (false, Some(_), _) => {
            let field = format!("{field}.clustering_rows");
            return Err(WorkloadError::at(
                field,
                "the primary key has no clustering column; write versions for rows that are overwritten",
            ));
        }
    };
    let clustering_rows = per_partition.unwrap_or(1);
    for (name, value) in [("partitions", yaml.partitions), (name, clustering_rows)] {
        if value == 0 {
            return Err(WorkloadError::at(format!("{field}.{name}"), "must be at least 1"));
        }
    }
    match yaml.partitions.checked_mul(clustering_rows).filter(|rows| *rows <= 1 << 53) {
        Some(_) => Ok(Geometry { partitions: yaml.partitions, clustering_rows }),
        None => Err(WorkloadError::at(format!("{field}.{name}"), "partitions times this must be at most 2^53 rows")),
    }
}
