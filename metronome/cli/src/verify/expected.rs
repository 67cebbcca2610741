//! Recomputes the rows that a run's acknowledged writes leave in the tables.

use crate::acks_file::{AcksHeader, Lane};
use std::collections::{BTreeMap, HashMap};
use workload::{Consistency, Workload};

/// Verdict on a row that was read back.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Finding {
    AsAcknowledged,
    /// A later write of the run without acknowledgement took effect, which is allowed.
    NewerUnacknowledged,
    /// Another client wrote the row after the run.
    WrittenSince,
    /// The time to live has passed.
    Expired,
    Lost,
    Stale {
        by_writes: u64,
    },
    OtherValues {
        column: String,
    },
}

impl Finding {
    pub(super) fn name(&self) -> &'static str {
        match self {
            Finding::AsAcknowledged => "as acknowledged",
            Finding::NewerUnacknowledged => "newer: a later write of the run without acknowledgement took effect",
            Finding::WrittenSince => "written by another client since the run: cannot be judged",
            Finding::Expired => "expired: cannot be judged",
            Finding::Lost => "LOST",
            Finding::Stale { .. } => "OLDER than acknowledged",
            Finding::OtherValues { .. } => "WRONG values",
        }
    }

    pub(super) fn is_bad(&self) -> bool {
        matches!(self, Finding::Lost | Finding::Stale { .. } | Finding::OtherValues { .. })
    }
}

impl std::fmt::Display for Finding {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Finding::Stale { by_writes } => write!(f, "older than acknowledged by {by_writes} requests"),
            Finding::OtherValues { column } => write!(f, "column {column} differs from the write"),
            other => f.write_str(other.name()),
        }
    }
}

/// For each table, ordered by key: key number and index of the last acknowledged request that wrote the row.
pub(super) struct Expected<'a> {
    workload: &'a Workload,
    timestamp_base_us: i64,
    rows: BTreeMap<String, Vec<(u64, u64)>>,
    ttl_s: HashMap<String, u64>,
    writes: u64,
    not_comparable: u64,
}

impl<'a> Expected<'a> {
    pub(super) fn new(workload: &'a Workload, header: &AcksHeader, lanes: &[Lane]) -> Self {
        let mut last: BTreeMap<String, HashMap<u64, u64>> = BTreeMap::new();
        let (mut writes, mut not_comparable) = (0, 0);
        let mut ttl_s = HashMap::new();
        let steps = (0_u64..).zip(lanes).flat_map(|(lane, ranges)| {
            let indexes = move |step: u64| step * u64::from(header.lanes) + lane;
            ranges.iter().flat_map(|(start, end)| *start..*end).map(indexes)
        });
        for index in steps {
            let (at, row) = workload.pick(index);
            let statement = &workload.statements()[at];
            writes += 1;
            if !statement.is_whole_row {
                not_comparable += 1;
                continue;
            }
            let table = table_name(&statement.table);
            if let Some(ttl) = statement.ttl_s {
                ttl_s.insert(table.to_owned(), ttl);
            }
            let rows = last.entry(table.to_owned()).or_default();
            for row in statement.rows(row) {
                let key = workload.key_number(table, row).unwrap_or(row);
                let newest = rows.entry(key).or_insert(index);
                *newest = (*newest).max(index);
            }
        }
        let rows = last.into_iter().map(|(table, rows)| {
            let mut rows: Vec<(u64, u64)> = rows.into_iter().collect();
            rows.sort_unstable();
            (table, rows)
        });
        let rows = rows.collect();
        Self { workload, timestamp_base_us: header.timestamp_base_us, rows, ttl_s, writes, not_comparable }
    }

    pub(super) fn tables(&self) -> impl Iterator<Item = &str> {
        self.rows.keys().map(String::as_str)
    }

    pub(super) fn rows(&self, table: &str) -> &[(u64, u64)] {
        self.rows.get(table).map_or(&[], Vec::as_slice)
    }

    pub(super) fn len(&self) -> usize {
        self.rows.values().map(Vec::len).sum()
    }

    pub(super) fn writes(&self) -> u64 {
        self.writes
    }

    pub(super) fn not_comparable(&self) -> u64 {
        self.not_comparable
    }

    /// Returns the workload's SELECT of a row, with the write time added.
    pub(super) fn select(&self, table: &str, consistency: Consistency) -> String {
        let Some(select) = self.workload.read_back(table, consistency) else { return String::new() };
        let values = self.workload.expected(table, 0).unwrap_or_default();
        let timed = values.iter().find(|v| v.is_regular && !v.cql_type.is_multi_cell());
        match (timed, select.cql.split_once(" FROM ")) {
            (Some(timed), Some((columns, rest))) => format!("{columns}, WRITETIME({}) FROM {rest}", timed.column),
            _ => select.cql,
        }
    }

    /// Returns the values of the key, as in EXECUTE.
    pub(super) fn key_values(&self, table: &str, key: u64, index: u64) -> Vec<u8> {
        let mut values = Vec::new();
        if let Some(select) = self.workload.read_back(table, Consistency::One) {
            select.encode(self.row_of(table, key, index).unwrap_or(key), &mut values);
        }
        values
    }

    /// Returns the row with this key that request `index` wrote.
    fn row_of(&self, table: &str, key: u64, index: u64) -> Option<u64> {
        let (at, row) = self.workload.pick(index);
        let statement = &self.workload.statements()[at];
        let same = |row: &u64| self.workload.key_number(table, *row) == Some(key);
        (statement.is_whole_row && table_name(&statement.table) == table).then(|| statement.rows(row).find(same))?
    }

    /// Compares the cells read with the acknowledged write; `cells` ends with the write time.
    pub(super) fn judge(&self, table: &str, key: u64, index: u64, cells: Option<&[Option<Vec<u8>>]>) -> Finding {
        let Some(cells) = cells else {
            return if self.has_expired(table, index) { Finding::Expired } else { Finding::Lost };
        };
        let acknowledged = self.row_of(table, key, index).unwrap_or(key);
        let values = self.workload.expected(table, acknowledged).unwrap_or_default();
        let written_by = (cells.len() > values.len())
            .then(|| cells.last().and_then(Option::as_deref).and_then(|b| b.first_chunk::<8>()))
            .flatten()
            .map(|b| i64::from_be_bytes(*b) - self.timestamp_base_us);
        match written_by {
            Some(by) if by < index.cast_signed() => {
                Finding::Stale { by_writes: (index.cast_signed() - by).unsigned_abs() }
            }
            Some(by) if by > index.cast_signed() => match self.row_of(table, key, by.cast_unsigned()) {
                None => Finding::WrittenSince,
                Some(row) => {
                    let values = self.workload.expected(table, row).unwrap_or_default();
                    differs(&values, cells).unwrap_or(Finding::NewerUnacknowledged)
                }
            },
            _ => differs(&values, cells).unwrap_or(Finding::AsAcknowledged),
        }
    }

    fn has_expired(&self, table: &str, index: u64) -> bool {
        let written_us = self.timestamp_base_us.cast_unsigned() + index;
        let now_us = machine::wall_ns() / 1_000;
        self.ttl_s.get(table).is_some_and(|ttl| written_us + ttl * 1_000_000 < now_us)
    }
}

fn differs(values: &[workload::Value], cells: &[Option<Vec<u8>>]) -> Option<Finding> {
    let wrong = values.iter().zip(cells).find(|(value, cell)| !value.is(cell.as_deref()));
    wrong.map(|(value, _)| Finding::OtherValues { column: value.column.clone() })
}

fn table_name(full: &str) -> &str {
    full.rsplit('.').next().unwrap_or(full)
}
