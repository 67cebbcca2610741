//! Drops what nobody can see any more, as `Row.purge` does.

use crate::operand::{Cell, Deletion, Operand, Value};

/// What the table allows.
#[derive(Clone, Copy, Debug)]
pub struct Purger {
    /// Seconds since 1970.
    pub now: i64,
    /// Deletions of before this second are not needed by any replica; none if negative.
    pub before: i64,
    /// There may be something for older deletions to shadow, somewhere else than in this record.
    pub below_timestamp: i64,
    /// Deletions of partitions and ranges from before this second shadow no other record any more.
    pub swept_before: i64,
}

impl Purger {
    fn may_purge(self, timestamp: i64, local: u32) -> bool {
        let local = i64::from(local);
        // a deletion that names a later time than its own could shadow a write that is not merged with it yet
        local < self.before && timestamp < self.below_timestamp && timestamp <= local.saturating_mul(1_000_000)
    }

    fn is_over(self, local: u32) -> bool {
        i64::from(local) <= self.now
    }

    pub fn purge(self, operand: &mut Operand) {
        let is_over =
            |deletion: Deletion| self.may_purge_deletion(deletion) && i64::from(deletion.local) < self.swept_before;
        if operand.partition_deletion.is_some_and(is_over) {
            operand.partition_deletion = None;
        }
        operand.ranges.retain(|range| !is_over(range.deletion));
        if operand.row_deletion.is_some_and(|deletion| self.may_purge_deletion(deletion)) {
            operand.row_deletion = None;
            operand.is_shadowable = false;
        }
        if operand.liveness.is_some_and(|row| {
            row.ttl != 0 && self.is_over(row.expiration) && self.may_purge(row.timestamp, row.expiration)
        }) {
            operand.liveness = None;
        }
        operand.cells.retain_mut(|cell| self.keeps(cell));
    }

    fn may_purge_deletion(self, deletion: Deletion) -> bool {
        self.may_purge(deletion.timestamp, deletion.local)
    }

    /// Makes a tombstone of a cell that is over.
    fn keeps(self, cell: &mut Cell) -> bool {
        if cell.is_column_deletion || cell.is_tombstone() {
            return !self.may_purge(cell.timestamp, cell.local);
        }
        if !cell.is_expiring() || !self.is_over(cell.local) {
            return true;
        }
        cell.local = cell.local.saturating_sub(cell.ttl);
        cell.ttl = 0;
        cell.value = Value::Stored(&[]);
        !self.may_purge(cell.timestamp, cell.local)
    }
}
