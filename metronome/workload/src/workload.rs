//! Workloads: tables, statements and the n-th request.

use std::collections::BTreeMap;
use std::sync::Arc;

use indexmap::IndexMap;

use crate::build::{self, Context};
use crate::canonical::canonical;
use crate::consistency::Consistency;
use crate::cql_type::{CqlType, UserType, UserTypes};
use crate::draw::{SLACK, mix, salt};
use crate::error::{Result, WorkloadError};
use crate::format::WorkloadYaml;
use crate::mix::Mix;
use crate::parameters;
use crate::pick::Pick;
use crate::replication::Replication;
use crate::role::Role;
use crate::shares::shares;
use crate::statement::Statement;
use crate::table::{Table, check_name};

/// Settings of the command line that override those of a workload.
#[derive(Debug, Clone, Default)]
pub struct Overrides {
    /// Values for names in the `parameters:` block; an unknown name is an error.
    pub parameters: BTreeMap<String, String>,
    pub seed: Option<u64>,
    pub keyspace: Option<String>,
    /// Consistency of every statement.
    pub consistency: Option<Consistency>,
}

/// The value of one column of a row, in the wire format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Value {
    pub column: String,
    pub cql_type: CqlType,
    /// Whether the column is neither in the key nor static.
    pub is_regular: bool,
    pub bytes: Vec<u8>,
}

impl Value {
    /// Whether a cell read back holds this value.
    pub fn is(&self, cell: Option<&[u8]>) -> bool {
        let Some(cell) = cell else {
            // Cassandra stores no cell for a collection without elements.
            return self.cql_type.is_multi_cell() && self.bytes == [0; 4];
        };
        let same = |found| canonical(&self.cql_type, &self.bytes) == Some(found);
        cell == self.bytes || canonical(&self.cql_type, cell).is_some_and(same)
    }
}

/// A checked workload, ready to run.
#[derive(Debug, Clone)]
pub struct Workload {
    name: String,
    about: String,
    keyspace: String,
    seed: u64,
    parameters: BTreeMap<String, String>,
    types: UserTypes,
    tables: IndexMap<String, Table>,
    statements: Vec<Statement>,
    mix: Mix,
    rate: Option<f64>,
}

impl Workload {
    /// Reads and checks a workload.
    ///
    /// # Errors
    /// When the workload is invalid: the path of the first invalid field and what to write instead.
    pub fn load(yaml: &str, overrides: &Overrides) -> Result<Workload> {
        let (filled, parameters) = parameters::fill_in(yaml, &overrides.parameters)?;
        let parsed: WorkloadYaml =
            serde_saphyr::from_str(&filled).map_err(|error| WorkloadError::at("", error.to_string()))?;
        let seed = overrides.seed.unwrap_or(parsed.seed);
        let keyspace = overrides.keyspace.clone().or(parsed.keyspace).unwrap_or_else(|| "metronome".to_string());
        check_name("keyspace", &keyspace)?;
        if parsed.tables.is_empty() {
            return Err(WorkloadError::at("tables", "needs at least one table"));
        }
        let types = user_types(&parsed.types)?;
        let tables: IndexMap<String, Table> = parsed
            .tables
            .iter()
            .map(|(name, yaml)| Ok((name.clone(), Table::compile(&keyspace, name, yaml, seed, &types)?)))
            .collect::<Result<_>>()?;
        let shares = shares(&parsed.statements)?;
        let mut statements: Vec<Statement> = parsed
            .statements
            .iter()
            .zip(&shares)
            .map(|((name, yaml), share)| {
                let context =
                    Context { tables: &tables, types: &types, seed, share: *share, consistency: overrides.consistency };
                build::build(name, yaml, &context)
            })
            .collect::<Result<_>>()?;
        connect_reads_to_writes(&mut statements)?;
        let rate = parsed.rate.map(|rate| fleet_rate(rate, &tables)).transpose()?;
        let mix = Mix::new(salt(seed, &["mix"]), &shares);
        Ok(Workload {
            name: parsed.name,
            about: parsed.about,
            keyspace,
            seed,
            parameters,
            types,
            tables,
            statements,
            mix,
            rate,
        })
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn about(&self) -> &str {
        &self.about
    }

    pub fn keyspace(&self) -> &str {
        &self.keyspace
    }

    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Every parameter with its value.
    pub fn parameters(&self) -> &BTreeMap<String, String> {
        &self.parameters
    }

    /// The workload's own rate in requests per second, such as that of a fleet of senders.
    pub fn rate(&self) -> Option<f64> {
        self.rate
    }

    /// CQL that creates the keyspace, the types and the tables if they do not exist.
    pub fn schema(&self, replication: &Replication) -> Vec<String> {
        let keyspace =
            format!("CREATE KEYSPACE IF NOT EXISTS {} WITH replication = {}", self.keyspace, replication.to_cql());
        let types = self.types.values().map(|user| user.create(&self.keyspace));
        std::iter::once(keyspace).chain(types).chain(self.tables.values().map(Table::create)).collect()
    }

    pub fn statements(&self) -> &[Statement] {
        &self.statements
    }

    /// Returns position of the statement and row of the n-th request. A pure function: threads may split the operation
    /// numbers in any way.
    #[inline]
    pub fn pick(&self, operation: u64) -> (usize, u64) {
        let dealt = self.mix.deal(operation);
        let statement = &self.statements[dealt.statement];
        let row = match &statement.pick {
            Pick::Written { by, latest } => {
                let written = self.mix.dealt_before(operation, *by).max(1);
                let earlier = Pick::earlier(latest, statement.salt, dealt.ordinal, written);
                self.written_row(*by, earlier, statement)
            }
            pick => pick.row(statement.salt, dealt.ordinal, statement.row_count()),
        };
        (dealt.statement, row)
    }

    /// Returns the row that the `ordinal`-th request of statement `by` wrote, as a row of `reader`.
    fn written_row(&self, by: usize, ordinal: u64, reader: &Statement) -> u64 {
        let writer = &self.statements[by];
        let row = writer.pick.row(writer.salt, ordinal, writer.row_count());
        match writer.batch {
            None => row,
            Some(batch) => {
                let element = mix(reader.salt, ordinal) % batch.rows;
                writer.rows(row).nth(element as usize).unwrap_or(row)
            }
        }
    }

    /// Names of the tables, without keyspace.
    pub fn tables(&self) -> impl Iterator<Item = &str> {
        self.tables.keys().map(String::as_str)
    }

    /// Number of rows of a table; they are numbered from 0.
    pub fn row_count(&self, table: &str) -> Option<u64> {
        self.tables.get(table).map(|table| table.geometry.rows())
    }

    /// Number of a row's primary key. In a table with `versions` several rows share a key and overwrite each other.
    pub fn key_number(&self, table: &str, row: u64) -> Option<u64> {
        let table = self.tables.get(table)?;
        Some(if table.has(Role::Clustering) { row } else { row % table.geometry.partitions })
    }

    /// Returns the values of a written row, in the order of [`Workload::read_back`]'s columns.
    pub fn expected(&self, table: &str, row: u64) -> Option<Vec<Value>> {
        let table = self.tables.get(table)?;
        let place = table.geometry.place(row);
        let value = |column: &crate::column::Column| {
            let mut bytes = vec![0; column.generator.max_bytes() + SLACK];
            let size = column.generator.put(column.role.index(&place), &place, &mut bytes);
            bytes.truncate(size);
            Value {
                column: column.name.clone(),
                cql_type: column.cql_type.clone(),
                is_regular: column.role == Role::Regular,
                bytes,
            }
        };
        Some(table.columns.values().map(value).collect())
    }

    /// Returns a SELECT of all columns of one row by its primary key; `encode` takes the row.
    pub fn read_back(&self, table: &str, consistency: Consistency) -> Option<Statement> {
        self.tables.get(table).map(|table| build::read_back(table, consistency))
    }
}

fn connect_reads_to_writes(statements: &mut [Statement]) -> Result<()> {
    for at in 0..statements.len() {
        let (table, name) = (statements[at].table.clone(), statements[at].name.clone());
        let writer =
            statements.iter().position(|other| other.is_whole_row && other.table == table && other.share > 0.0);
        if let Pick::Written { by, .. } = &mut statements[at].pick {
            let field = format!("statements.{name}.pick");
            *by = writer.filter(|writer| *writer != at).ok_or_else(|| {
                WorkloadError::at(field, format!("no other statement inserts rows into {table}; use uniform or zipf"))
            })?;
        }
    }
    Ok(())
}

/// Compiles the user-defined types. A type may use the types before it.
fn user_types(written: &IndexMap<String, IndexMap<String, String>>) -> Result<UserTypes> {
    let mut types = UserTypes::new();
    for (name, fields) in written {
        let at = format!("types.{name}");
        check_name(&at, name)?;
        if fields.is_empty() {
            return Err(WorkloadError::at(at, "needs at least one field"));
        }
        let field = |(field, cql_type): (&String, &String)| {
            let at = format!("{at}.{field}");
            check_name(&at, field)?;
            let cql_type = CqlType::parse(cql_type, &types).map_err(|message| WorkloadError::at(at, message))?;
            Ok((field.clone(), cql_type))
        };
        let fields = fields.iter().map(field).collect::<Result<_>>()?;
        types.insert(name.clone(), Arc::new(UserType { name: name.clone(), fields }));
    }
    Ok(types)
}

fn fleet_rate(rate: crate::format::RateYaml, tables: &IndexMap<String, Table>) -> Result<f64> {
    let mut senders = 0;
    for name in &rate.tables {
        let table =
            tables.get(name).ok_or_else(|| WorkloadError::at("rate.tables", format!("there is no table '{name}'")))?;
        senders += table.geometry.partitions;
    }
    let seconds = rate.every.0.as_secs_f64();
    match seconds > 0.0 && senders > 0 {
        true => Ok(senders as f64 / seconds),
        false => Err(WorkloadError::at("rate", "needs a time above 0 and at least one table")),
    }
}
