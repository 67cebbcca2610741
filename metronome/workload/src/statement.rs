//! Statements and the encoding of their values.

use crate::consistency::Consistency;
use crate::cql_type::CqlType;
use crate::draw::SLACK;
use crate::generator::{Generator, Place};
use crate::role::Role;
use crate::table::Geometry;

/// A bound value: the n-th bound column is for the n-th `?`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoundColumn {
    pub name: String,
    pub cql_type: CqlType,
}

/// One kind of request: prepared once per connection, then executed with the values of a row.
#[derive(Debug, Clone)]
pub struct Statement {
    pub name: String,
    /// CQL with a `?` for each bound value and with the keyspace before the table.
    pub cql: String,
    /// Keyspace and table.
    pub table: String,
    /// Share of all requests, 0 to 1.
    pub share: f64,
    pub consistency: Consistency,
    /// Set for conditional statements only.
    pub serial_consistency: Option<Consistency>,
    pub is_write: bool,
    /// Whether it inserts every column: [`crate::Workload::expected`] then returns the values that a later read finds.
    pub is_whole_row: bool,
    /// Time to live of a written row: the statement's own, or the table's.
    pub ttl_s: Option<u64>,
    /// Number of rows in a page of a result.
    pub page_size: Option<i32>,
    pub bound: Vec<BoundColumn>,
    /// Positions in `bound` of the columns of the partition key, in the key's order. Empty if a request has several
    /// partitions or does not bind the whole key.
    pub partition_key: Vec<usize>,
    pub(crate) slots: Vec<Slot>,
    pub(crate) geometry: Geometry,
    pub(crate) batch: Option<Batch>,
    pub(crate) pick: crate::pick::Pick,
    pub(crate) salt: u64,
    pub(crate) max_bytes: usize,
}

#[derive(Debug, Clone)]
pub(crate) struct Slot {
    pub generator: Generator,
    pub role: Role,
    /// Position of the row in a batch.
    pub element: u64,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Batch {
    pub rows: u64,
    pub in_one_partition: bool,
}

impl Slot {
    #[inline]
    fn put(&self, place: &Place, out: &mut [u8]) -> usize {
        self.generator.put(self.role.index(place), place, out)
    }
}

impl Statement {
    /// Appends the values of `row` as in EXECUTE: a [short] n, then n [value]s (native_protocol_v5.spec, section
    /// 4.1.4). Allocates only if `out` is too small for the largest request so far.
    #[inline]
    pub fn encode(&self, row: u64, out: &mut Vec<u8>) {
        let start = out.len();
        out.resize(start + self.max_bytes, 0);
        let buffer = &mut out[start..];
        buffer[..2].copy_from_slice(&(self.slots.len() as u16).to_be_bytes());
        let mut end = 2;
        let mut element = 0;
        let mut place = self.place(row, 0);
        for slot in &self.slots {
            if slot.element != element {
                element = slot.element;
                place = self.place(row, element);
            }
            let size = slot.put(&place, &mut buffer[end + 4..]);
            buffer[end..end + 4].copy_from_slice(&(size as u32).to_be_bytes());
            end += 4 + size;
        }
        out.truncate(start + end);
    }

    /// Appends the routing key of `row`, the input of the token: the value of a key of one column; for several columns
    /// each value with a [short] length before it and a zero byte after it. Returns `false`, and appends nothing, if
    /// `partition_key` is empty.
    #[inline]
    pub fn partition_key(&self, row: u64, out: &mut Vec<u8>) -> bool {
        let place = self.place(row, 0);
        let composite = self.partition_key.len() > 1;
        for position in &self.partition_key {
            let slot = &self.slots[*position];
            let start = out.len();
            let value = start + if composite { 2 } else { 0 };
            out.resize(value + slot.generator.max_bytes() + SLACK, 0);
            let end = value + slot.put(&place, &mut out[value..]);
            out.truncate(end);
            if composite {
                let size = (end - value) as u16;
                out[start..value].copy_from_slice(&size.to_be_bytes());
                out.push(0);
            }
        }
        !self.partition_key.is_empty()
    }

    /// Returns the table's rows of the request for `row`: the row, or all rows of a batch.
    pub fn rows(&self, row: u64) -> impl Iterator<Item = u64> + use<> {
        let (geometry, batch) = (self.geometry, self.batch);
        (0..batch.map_or(1, |batch| batch.rows)).map(move |element| place(geometry, batch, row, element).row)
    }

    /// Number of values of `row`.
    pub fn row_count(&self) -> u64 {
        match self.batch {
            None => self.geometry.rows(),
            Some(batch) if batch.in_one_partition => {
                self.geometry.partitions * (self.geometry.clustering_rows / batch.rows)
            }
            Some(batch) => self.geometry.rows() / batch.rows,
        }
    }

    #[inline]
    fn place(&self, row: u64, element: u64) -> Place {
        place(self.geometry, self.batch, row, element)
    }
}

#[inline]
fn place(geometry: Geometry, batch: Option<Batch>, row: u64, element: u64) -> Place {
    let row = match batch {
        None => row,
        Some(Batch { rows, in_one_partition: false }) => row * rows + element,
        Some(Batch { rows, in_one_partition: true }) => {
            let first = geometry.place(row);
            geometry.row(first.partition, first.clustering * rows + element)
        }
    };
    geometry.place(row)
}
