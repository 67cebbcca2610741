//! The state of the server: created keyspaces and tables, and prepared statements.

use crate::rows::{Column, Table, Type, collection};
use std::collections::HashMap;
use std::net::SocketAddr;

/// Schema version and host id; any constant serves.
const UUID: [u8; 16] = [0x52, 0x69, 0x6e, 0x67, 0x6d, 0x61, 0x43, 0x74, 0x80, 0x65, 0x72, 0x4e, 0x6f, 0x64, 0x65, 0x31];

/// Created tables and prepared statements.
#[derive(Debug, Default)]
pub(crate) struct Catalogue {
    keyspaces: Vec<(String, Vec<(String, String)>)>,
    tables: HashMap<String, Vec<Column>>,
    prepared: Vec<Statement>,
}

/// A statement, parsed as far as the server needs.
#[derive(Debug, Clone)]
pub(crate) struct Statement {
    pub(crate) cql: String,
    pub(crate) kind: Kind,
    pub(crate) table: String,
    pub(crate) bound: Vec<Column>,
    /// Positions in `bound` of the columns of the partition key.
    pub(crate) key: Vec<u16>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Write = 0,
    Read = 1,
    /// A read of a system table.
    System = 2,
    Schema = 3,
    Use = 4,
}

impl Catalogue {
    /// Parses and keeps `cql`; returns its number.
    pub(crate) fn prepare(&mut self, cql: &str) -> (u32, Statement) {
        if let Some(at) = self.prepared.iter().position(|s| s.cql == cql) {
            return (at as u32, self.prepared[at].clone());
        }
        let statement = self.parse(cql);
        self.prepared.push(statement.clone());
        ((self.prepared.len() - 1) as u32, statement)
    }

    pub(crate) fn prepared(&self, at: u32) -> Option<&Statement> {
        self.prepared.get(at as usize)
    }

    pub(crate) fn parse(&self, cql: &str) -> Statement {
        let words = words(cql);
        let word = |i: usize| words.get(i).map_or("", String::as_str);
        let after = |keyword: &str| words.iter().position(|w| w == keyword).and_then(|i| words.get(i + 1));
        let (kind, table) = match word(0) {
            "select" => {
                let table = after("from").cloned().unwrap_or_default();
                (if table.starts_with("system") { Kind::System } else { Kind::Read }, table)
            }
            "insert" => (Kind::Write, word(2).to_owned()),
            "update" => (Kind::Write, word(1).to_owned()),
            "create" | "alter" | "drop" | "truncate" => (Kind::Schema, String::new()),
            "use" => (Kind::Use, word(1).to_owned()),
            _ => (Kind::Write, after("into").or(after("from")).cloned().unwrap_or_default()),
        };
        let names = if word(0) == "insert" { inserted(&words) } else { compared(&words) };
        let table_name = table.rsplit('.').next().unwrap_or_default();
        let columns = self.tables.get(table_name);
        let column_type = |name: &str| {
            let known = columns.and_then(|c| c.iter().find(|c| c.name == name));
            known.map_or_else(|| Type::named(if name == "limit" { "int" } else { "blob" }), |c| c.column_type.clone())
        };
        let bound: Vec<Column> =
            names.iter().map(|n| Column { name: n.clone(), column_type: column_type(n) }).collect();
        // The first column of a created table serves as its partition key, which is enough to route to one node.
        let key_name = columns.and_then(|c| c.first()).map(|c| c.name.as_str());
        let key = (0..).zip(&bound).filter(|(_, b)| Some(b.name.as_str()) == key_name).map(|(i, _)| i).collect();
        Statement { cql: cql.to_owned(), kind, table, bound, key }
    }

    /// Stores a created keyspace or table.
    pub(crate) fn create(&mut self, cql: &str) {
        let words = words(cql);
        let exists = usize::from(words.get(2).is_some_and(|w| w == "if")) * 3;
        let Some(name) = words.get(2 + exists) else { return };
        match words.get(1).map(String::as_str) {
            Some("keyspace") => {
                let replication = literal_map(cql);
                self.keyspaces.retain(|(known, _)| known != name);
                self.keyspaces.push((name.clone(), replication));
            }
            Some("table") => {
                let name = name.rsplit('.').next().unwrap_or_default().to_owned();
                self.tables.insert(name, defined(&words[3 + exists..]));
            }
            _ => {}
        }
    }

    /// Returns the rows of a system table; `None` for a table that Cassandra does not have.
    pub(crate) fn system_table(&self, statement: &Statement, address: SocketAddr) -> Option<Table> {
        let empty_schema_tables = [
            "tables",
            "columns",
            "views",
            "types",
            "functions",
            "aggregates",
            "indexes",
            "triggers",
            "dropped_columns",
        ];
        let all = match statement.table.as_str() {
            "system.local" => local(address),
            "system.peers" | "system.peers_v2" => Table { rows: Vec::new(), ..local(address) },
            "system_schema.keyspaces" => self.keyspaces_table(),
            other => {
                let name = other.strip_prefix("system_schema.")?;
                empty_schema_tables.contains(&name).then(empty_schema_table)?
            }
        };
        Some(select(&statement.cql, all))
    }

    fn keyspaces_table(&self) -> Table {
        let text = || Type::named("text");
        let columns = vec![
            Column { name: "keyspace_name".into(), column_type: text() },
            Column { name: "replication".into(), column_type: Type::Map(Box::new(text()), Box::new(text())) },
            Column { name: "durable_writes".into(), column_type: Type::named("boolean") },
        ];
        let rows = self.keyspaces.iter().map(|(name, replication)| {
            let cells: Vec<&[u8]> = replication.iter().flat_map(|(k, v)| [k.as_bytes(), v.as_bytes()]).collect();
            vec![Some(name.as_bytes().to_vec()), Some(collection(replication.len(), &cells)), Some(vec![1])]
        });
        Table { columns, rows: rows.collect() }
    }
}

/// Selects the columns of a SELECT, in its order; all for `*`. An unknown column is a null text.
fn select(cql: &str, all: Table) -> Table {
    let lower = cql.to_ascii_lowercase();
    let list = lower.trim_start().trim_start_matches("select").split(" from ").next().unwrap_or_default();
    if list.trim() == "*" {
        return all;
    }
    let names: Vec<&str> = list.split(',').map(str::trim).collect();
    let positions: Vec<Option<usize>> = names.iter().map(|n| all.columns.iter().position(|c| c.name == *n)).collect();
    let text = |name: &str| Column { name: name.to_owned(), column_type: Type::named("text") };
    let columns = names.iter().zip(&positions).map(|(n, p)| p.map_or_else(|| text(n), |p| all.columns[p].clone()));
    let rows = all.rows.iter().map(|row| positions.iter().map(|p| p.and_then(|p| row[p].clone())).collect());
    Table { columns: columns.collect(), rows: rows.collect() }
}

/// A schema table without rows. Drivers check the types of its columns that are not text.
fn empty_schema_table() -> Table {
    let texts = || Type::List(Box::new(Type::named("text")));
    let typed = [("field_names", texts()), ("field_types", texts()), ("position", Type::named("int"))];
    let columns = typed.into_iter().map(|(name, column_type)| Column { name: name.to_owned(), column_type });
    Table { columns: columns.collect(), rows: Vec::new() }
}

fn local(address: SocketAddr) -> Table {
    let ip = match address.ip() {
        std::net::IpAddr::V4(ip) => ip.octets().to_vec(),
        std::net::IpAddr::V6(ip) => ip.octets().to_vec(),
    };
    let text = |value: &str| (Type::named("text"), value.as_bytes().to_vec());
    let cells = [
        ("key", text("local")),
        ("cluster_name", text("null")),
        ("release_version", text("5.0.9")),
        ("cql_version", text("3.4.7")),
        ("data_center", text("datacenter1")),
        ("rack", text("rack1")),
        ("partitioner", text("org.apache.cassandra.dht.Murmur3Partitioner")),
        ("host_id", (Type::named("uuid"), UUID.to_vec())),
        ("schema_version", (Type::named("uuid"), UUID.to_vec())),
        ("rpc_address", (Type::named("inet"), ip.clone())),
        ("listen_address", (Type::named("inet"), ip.clone())),
        ("broadcast_address", (Type::named("inet"), ip)),
        ("tokens", (Type::Set(Box::new(Type::named("text"))), collection(1, &[b"0"]))),
    ];
    let (columns, row) = cells
        .into_iter()
        .map(|(name, (column_type, bytes))| (Column { name: name.to_owned(), column_type }, Some(bytes)))
        .unzip();
    Table { columns, rows: vec![row] }
}

/// Splits a statement into lower-case words. Each of `(),;=?{}:` is a separate word; quotes are removed.
fn words(cql: &str) -> Vec<String> {
    let mut spaced = String::with_capacity(cql.len() * 2);
    for c in cql.chars() {
        match c {
            '(' | ')' | ',' | ';' | '=' | '?' | '{' | '}' | ':' => {
                spaced.push(' ');
                spaced.push(c);
                spaced.push(' ');
            }
            '"' | '\'' => {}
            c => spaced.extend(c.to_lowercase()),
        }
    }
    spaced.split_whitespace().map(str::to_owned).collect()
}

/// Returns the column names of the `?` of an INSERT.
fn inserted(words: &[String]) -> Vec<String> {
    let mut lists = words.split(|w| w == "(");
    let list = |words: Option<&[String]>| -> Vec<String> {
        let inside = words.unwrap_or_default().iter().take_while(|w| *w != ")");
        inside.filter(|w| *w != ",").cloned().collect()
    };
    let names = list(lists.nth(1));
    let values = list(lists.next());
    let mut bound: Vec<String> = names.into_iter().zip(&values).filter(|(_, v)| *v == "?").map(|(n, _)| n).collect();
    // USING TTL ? AND TIMESTAMP ?
    bound.extend(
        words.windows(2).filter(|w| (w[0] == "ttl" || w[0] == "timestamp") && w[1] == "?").map(|w| w[0].clone()),
    );
    bound
}

/// Returns the names before `= ?`, `> ?`, `IN ?`, and the keywords before a bare `?`.
fn compared(words: &[String]) -> Vec<String> {
    let operators = ["=", "<", ">", "<=", ">=", "in"];
    let at = (0..words.len()).filter(|i| words[*i] == "?");
    at.map(|i| {
        let mut name = i.saturating_sub(1);
        while name > 0 && (operators.contains(&words[name].as_str()) || words[name] == "(") {
            name -= 1;
        }
        words[name].clone()
    })
    .collect()
}

/// Reads the columns of a CREATE TABLE from the words after its name.
fn defined(words: &[String]) -> Vec<Column> {
    let mut columns = Vec::new();
    let mut depth = 0;
    let mut at_start = true;
    for (i, word) in words.iter().enumerate() {
        match word.as_str() {
            "(" => depth += 1,
            ")" if depth == 1 => break,
            ")" => depth -= 1,
            "," if depth == 1 => at_start = true,
            "primary" if at_start && depth == 1 => at_start = false,
            name if at_start && depth == 1 => {
                at_start = false;
                let column_type = Type::named(words.get(i + 1).map_or("", String::as_str));
                columns.push(Column { name: name.to_owned(), column_type });
            }
            _ => continue,
        }
        if word == "(" {
            at_start = depth == 1;
        }
    }
    columns
}

/// Reads keys and values of the first `{...}` of a statement.
fn literal_map(cql: &str) -> Vec<(String, String)> {
    let inside = cql.split_once('{').and_then(|(_, rest)| rest.split_once('}')).map_or("", |(inside, _)| inside);
    let clean = |s: &str| s.trim().trim_matches('\'').to_owned();
    inside.split(',').filter_map(|pair| pair.split_once(':')).map(|(k, v)| (clean(k), clean(v))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bound(catalogue: &Catalogue, cql: &str) -> Vec<(String, Type)> {
        catalogue.parse(cql).bound.into_iter().map(|c| (c.name, c.column_type)).collect()
    }

    #[test]
    fn statements_bind_the_types_of_the_table_they_name() {
        let mut catalogue = Catalogue::default();
        catalogue
            .create("CREATE TABLE IF NOT EXISTS ks.t (k bigint, name text, v frozen<blob>, PRIMARY KEY ((k), name))");
        let (k, name, v) = (Type::Native(2), Type::Native(0x0d), Type::Native(3));
        let insert = bound(&catalogue, "INSERT INTO ks.t (k, name, v) VALUES (?, 'fixed', ?)");
        assert_eq!(insert, [("k".to_owned(), k.clone()), ("v".to_owned(), v)]);
        let select = bound(&catalogue, "SELECT v FROM ks.t WHERE k = ? AND name IN (?)");
        assert_eq!(select, [("k".to_owned(), k.clone()), ("name".to_owned(), name.clone())]);
        let update = bound(&catalogue, "UPDATE t SET name=? WHERE k=?");
        assert_eq!(update, [("name".to_owned(), name), ("k".to_owned(), k)]);
    }

    #[test]
    fn a_keyspace_keeps_its_replication() {
        let mut catalogue = Catalogue::default();
        catalogue.create("CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
        let (name, replication) = &catalogue.keyspaces[0];
        assert_eq!(name, "ks");
        assert_eq!(replication[1], ("replication_factor".to_owned(), "1".to_owned()));
    }
}
