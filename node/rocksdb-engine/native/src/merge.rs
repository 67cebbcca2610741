//! Merges versions of a record as Cassandra does: `BTreeRow.merge`, `Cells.reconcile`, `DeletionTime.supersedes`.

use crate::counter;
use crate::operand::{Cell, Deletion, Liveness, Malformed, NEVER, Operand, Value, read};
use crate::ranges;
use std::cmp::Ordering;
use std::mem;

/// The TTL that marks a row of a view as expired.
const EXPIRED_TTL: u32 = i32::MAX as u32;

/// Merges all operands of the values, which start with the oldest.
pub fn merge<'a>(values: impl IntoIterator<Item = &'a [u8]>) -> Result<Operand<'a>, Malformed> {
    let mut operands = Vec::new();
    for value in values {
        read(value, &mut operands)?;
    }
    if operands.len() < 2 {
        return Ok(operands.pop().unwrap_or_default());
    }
    let ranges = operands.iter_mut().flat_map(|operand| mem::take(&mut operand.ranges)).collect();
    let mut merged = merge_halves(operands);
    merged.ranges = ranges::reduce(ranges, merged.partition_deletion);
    Ok(merged)
}

/// Drops what the deletions of an operand shadow in it: a single write may have both, such as a batch with a deletion.
/// Merges do so; an operand that was never merged needs it before its deletions are purged.
pub fn without_shadowed(mut operand: Operand) -> Operand {
    let deletes = operand.partition_deletion.is_some() || operand.row_deletion.is_some();
    if !deletes && !operand.cells.iter().any(|cell| cell.is_column_deletion) {
        return operand;
    }
    let ranges = ranges::reduce(mem::take(&mut operand.ranges), operand.partition_deletion);
    Operand { ranges, ..merge_two(operand, Operand::default()) }
}

/// Merges neighbours until one operand is left, so that each cell is moved O(log n) times.
fn merge_halves<'a>(mut operands: Vec<Operand<'a>>) -> Operand<'a> {
    while operands.len() > 1 {
        let mut halved = Vec::with_capacity(operands.len().div_ceil(2));
        let mut rest = operands.into_iter();
        while let Some(old) = rest.next() {
            halved.push(match rest.next() {
                Some(new) => merge_two(old, new),
                None => old,
            });
        }
        operands = halved;
    }
    operands.pop().unwrap_or_default()
}

/// Merges all but the ranges.
fn merge_two<'a>(old: Operand<'a>, new: Operand<'a>) -> Operand<'a> {
    let partition_deletion = old.partition_deletion.max(new.partition_deletion);
    let mut liveness = newer_liveness(old.liveness, new.liveness);
    let (mut row_deletion, mut is_shadowable) = if old.row_deletion > new.row_deletion {
        (old.row_deletion, old.is_shadowable)
    } else {
        (new.row_deletion, new.is_shadowable)
    };
    // a record with a partition deletion is a header, whose row (static or only row) the deletion covers
    if row_deletion < partition_deletion {
        row_deletion = None;
        is_shadowable = false;
    }
    if let (Some(whole), Some(row)) = (partition_deletion, liveness)
        && row.timestamp <= whole.timestamp
    {
        liveness = None;
    }
    if let (Some(deletion), Some(row)) = (row_deletion, liveness) {
        if row.timestamp <= deletion.timestamp {
            liveness = None;
        } else if is_shadowable {
            row_deletion = None;
            is_shadowable = false;
        }
    }
    Operand {
        partition_deletion,
        ranges: Vec::new(),
        liveness,
        row_deletion,
        is_shadowable,
        clustering: old.clustering.or(new.clustering),
        cells: merge_cells(old.cells, new.cells, row_deletion, partition_deletion),
    }
}

fn newer_liveness(old: Option<Liveness>, new: Option<Liveness>) -> Option<Liveness> {
    match (old, new) {
        (Some(a), Some(b)) if supersedes(a, b) => Some(a),
        (Some(a), None) => Some(a),
        _ => new,
    }
}

fn supersedes(a: Liveness, b: Liveness) -> bool {
    if a.timestamp != b.timestamp {
        return a.timestamp > b.timestamp;
    }
    let (a_expired, b_expired) = (a.ttl == EXPIRED_TTL, b.ttl == EXPIRED_TTL);
    if a_expired != b_expired {
        return a_expired;
    }
    if (a.ttl != 0) == (b.ttl != 0) {
        return a.expiration > b.expiration || (a.expiration == b.expiration && a.ttl < b.ttl);
    }
    a.ttl != 0
}

/// Merges two sorted lists. Only counters that cannot be merged here may occupy one place several times. As in
/// Cassandra, a column deletion that equals the row deletion is dropped, and one that equals the partition deletion is
/// kept.
fn merge_cells<'a>(
    old: Vec<Cell<'a>>,
    new: Vec<Cell<'a>>,
    row: Option<Deletion>,
    partition: Option<Deletion>,
) -> Vec<Cell<'a>> {
    let mut merged: Vec<Cell<'a>> = Vec::with_capacity(old.len() + new.len());
    let mut old = old.into_iter().peekable();
    let mut new = new.into_iter().peekable();
    let mut active = row;
    let mut column = None;
    loop {
        let takes_old = match (old.peek(), new.peek()) {
            (Some(a), Some(b)) => a.place() <= b.place(),
            (Some(_), None) => true,
            (None, Some(_)) => false,
            (None, None) => return merged,
        };
        let Some(cell) = (if takes_old { old.next() } else { new.next() }) else { return merged };
        if column != Some(cell.column) {
            column = Some(cell.column);
            active = row;
        }
        if cell.is_column_deletion {
            let deletion = Some(Deletion { timestamp: cell.timestamp, local: cell.local });
            if deletion <= active || deletion < partition {
                continue;
            }
            active = deletion;
            if merged.last().is_some_and(|last| last.place() == cell.place()) {
                merged.pop();
            }
            merged.push(cell);
            continue;
        }
        if active.max(partition).is_some_and(|deletion| cell.timestamp <= deletion.timestamp) {
            continue;
        }
        match merged.pop_if(|last| last.place() == cell.place()) {
            Some(before) => reconcile(before, cell, &mut merged),
            None => merged.push(cell),
        }
    }
}

fn reconcile<'a>(old: Cell<'a>, new: Cell<'a>, into: &mut Vec<Cell<'a>>) {
    if !old.is_counter && !new.is_counter {
        into.push(if prefers(&old, &new) { old } else { new });
    } else if old.is_tombstone() || new.is_tombstone() {
        into.push(if old.is_tombstone() { old } else { new });
    } else if let Some(value) = counter::merge(old.value.bytes(), new.value.bytes()) {
        let timestamp = old.timestamp.max(new.timestamp);
        into.push(Cell { timestamp, value: Value::Merged(value), ..new });
    } else {
        into.extend([old, new]);
    }
}

/// Whether the first cell wins.
fn prefers(a: &Cell, b: &Cell) -> bool {
    if a.timestamp != b.timestamp {
        return a.timestamp > b.timestamp;
    }
    let (a_ends, b_ends) = (a.local != NEVER, b.local != NEVER);
    if a_ends != b_ends {
        return a_ends;
    }
    if a_ends {
        if a.is_tombstone() != b.is_tombstone() {
            return a.is_tombstone();
        }
        if a.local != b.local {
            return a.local > b.local;
        }
        if !a.is_tombstone() && a.ttl != b.ttl {
            return a.ttl < b.ttl;
        }
    }
    a.value.bytes().cmp(b.value.bytes()) != Ordering::Less
}
