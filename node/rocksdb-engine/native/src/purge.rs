//! Drops expired data and tombstones that are no longer needed, as `Row.purge` does.

use crate::operand::{Cell, Deletion, Operand, Value};

/// See `PurgeRules.MAX_CLOCK_SKEW_SECONDS` in Java.
const MAX_CLOCK_SKEW_SECONDS: i64 = 60;
const MICROS_PER_SECOND: i64 = 1_000_000;

/// The purge rules of a table, as of one moment. `PurgeRules` in Java implements the same rules.
#[derive(Clone, Copy, Debug)]
pub struct Purger {
    /// The current time, in seconds since 1970.
    pub now: i64,
    /// No replica needs deletions from before this second; negative to keep all deletions.
    pub before: i64,
    /// Deletions at or after this timestamp may shadow data outside of RocksDB; in microseconds.
    pub below_timestamp: i64,
    /// Deletions of partitions and ranges from before this second shadow no other record.
    pub swept_before: i64,
    /// Whether the tombstones of elements of collections stay: equal elements may have different bytes, and a
    /// tombstone of `1.00` shadows the element `1.0`, which is not merged with it here.
    pub keeps_elements: bool,
}

impl Purger {
    fn may_purge(self, timestamp: i64, local: u32) -> bool {
        let local = i64::from(local);
        // a deletion with a timestamp in its own future could shadow a write that is not merged with it yet
        local < self.before
            && timestamp < self.below_timestamp
            && timestamp < (local + 1 + MAX_CLOCK_SKEW_SECONDS) * MICROS_PER_SECOND
    }

    fn is_expired(self, local: u32) -> bool {
        i64::from(local) <= self.now
    }

    pub fn purge(self, operand: &mut Operand) {
        let is_swept =
            |deletion: Deletion| self.may_purge_deletion(deletion) && i64::from(deletion.local) < self.swept_before;
        if operand.partition_deletion.is_some_and(is_swept) {
            operand.partition_deletion = None;
        }
        operand.ranges.retain(|range| !is_swept(range.deletion));
        if operand.row_deletion.is_some_and(|deletion| self.may_purge_deletion(deletion)) {
            operand.row_deletion = None;
            operand.is_shadowable = false;
        }
        if operand.liveness.is_some_and(|row| {
            row.ttl != 0 && self.is_expired(row.expiration) && self.may_purge(row.timestamp, row.expiration)
        }) {
            operand.liveness = None;
        }
        operand.cells.retain_mut(|cell| self.keeps(cell));
    }

    fn may_purge_deletion(self, deletion: Deletion) -> bool {
        self.may_purge(deletion.timestamp, deletion.local)
    }

    /// Whether the cell stays. Turns an expired cell into a tombstone as old as its write, as `AbstractCell.purge`.
    fn keeps(self, cell: &mut Cell) -> bool {
        let must_keep = self.keeps_elements && cell.path.is_some();
        if cell.is_column_deletion || cell.is_tombstone() {
            return must_keep || !self.may_purge(cell.timestamp, cell.local);
        }
        if !cell.is_expiring() || !self.is_expired(cell.local) {
            return true;
        }
        if !must_keep && self.may_purge(cell.timestamp, cell.local) {
            return false;
        }
        cell.local = cell.local.saturating_sub(cell.ttl);
        cell.ttl = 0;
        cell.value = Value::Stored(&[]);
        must_keep || !self.may_purge(cell.timestamp, cell.local)
    }
}
