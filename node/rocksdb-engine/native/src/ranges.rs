//! Removes redundant range tombstones of one partition.

use crate::operand::{Deletion, Range};
use std::collections::{BTreeMap, HashMap};

/// Drops ranges inside a newer range, repeated ones, and those older than the deletion of the partition. Repeating a
/// deletion therefore costs nothing. Takes O(n log n).
///
/// The result is sorted by start, so that Cassandra's `RangeTombstoneList` appends each range instead of inserting it.
/// Where two ranges overlap and have the same timestamp, the order of their writes decides what Cassandra shows; such
/// ranges all stay, in that order.
///
/// `ranges` are in the order of their writes.
pub fn reduce<'a>(mut ranges: Vec<Range<'a>>, partition: Option<Deletion>) -> Vec<Range<'a>> {
    if let Some(whole) = partition {
        ranges.retain(|range| range.deletion.timestamp >= whole.timestamp);
    }
    if ranges.len() < 2 {
        return ranges;
    }
    let (kept, is_order_significant) = needed(&ranges);
    let mut slots: Vec<Option<Range<'a>>> = ranges.into_iter().map(Some).collect();
    let mut take = |i: usize| slots[i].take();
    if is_order_significant {
        let mut by_write = kept;
        by_write.sort_unstable();
        return by_write.into_iter().filter_map(&mut take).collect();
    }
    kept.into_iter().filter_map(&mut take).collect()
}

/// The positions of the ranges that no other range makes redundant, sorted by start, and whether the order of their
/// writes is significant.
fn needed(ranges: &[Range]) -> (Vec<usize>, bool) {
    let mut sorted: Vec<usize> = (0..ranges.len()).collect();
    // a range comes after each one that may contain it; the sort is stable, so of equal ranges the first one stays
    sorted.sort_by(|&a, &b| {
        let (a, b) = (&ranges[a], &ranges[b]);
        (a.start.cmp(b.start)).then(b.end.cmp(a.end)).then(b.deletion.timestamp.cmp(&a.deletion.timestamp))
    });
    let mut newest = NewestByEnd::default();
    let mut same_deletion: HashMap<Deletion, &[u8]> = HashMap::new();
    let mut same_timestamp: HashMap<i64, &[u8]> = HashMap::new();
    let mut is_order_significant = false;
    sorted.retain(|&i| {
        let Range { deletion, start, end, .. } = ranges[i];
        let is_repeated = same_deletion.get(&deletion).is_some_and(|&other| end <= other);
        if is_repeated || newest.until(end).is_some_and(|timestamp| timestamp > deletion.timestamp) {
            return false;
        }
        newest.add(end, deletion.timestamp);
        extend(&mut same_deletion, deletion, end);
        if let Some(before) = extend(&mut same_timestamp, deletion.timestamp, end) {
            is_order_significant |= start < before;
        }
        true
    });
    (sorted, is_order_significant)
}

/// Raises the greatest end of a key. Returns the one before.
fn extend<'a, K: std::hash::Hash + Eq>(ends: &mut HashMap<K, &'a [u8]>, key: K, end: &'a [u8]) -> Option<&'a [u8]> {
    let before = ends.get(&key).copied();
    if before.is_none_or(|before| before < end) {
        ends.insert(key, end);
    }
    before
}

/// The timestamps of ranges by their ends, without ranges that end no later than one that is at least as new.
/// Timestamps therefore fall as ends rise.
#[derive(Default)]
struct NewestByEnd<'a>(BTreeMap<&'a [u8], i64>);

impl<'a> NewestByEnd<'a> {
    /// The greatest timestamp of the ranges that end here or later.
    fn until(&self, end: &[u8]) -> Option<i64> {
        self.0.range(end..).next().map(|(_, &timestamp)| timestamp)
    }

    fn add(&mut self, end: &'a [u8], timestamp: i64) {
        if self.until(end).is_some_and(|other| other >= timestamp) {
            return;
        }
        while let Some((&before, &older)) = self.0.range(..=end).next_back()
            && older <= timestamp
        {
            self.0.remove(before);
        }
        self.0.insert(end, timestamp);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operand::{Operand, write};
    use crate::testing::{Random, within};
    use std::time::Duration;

    fn range<'a>(timestamp: i64, local: u32, start: &'a [u8], end: &'a [u8]) -> Range<'a> {
        Range { deletion: Deletion { timestamp, local }, start, end, written: &[] }
    }

    /// The definition: compares each range with each other one.
    fn pairwise<'a>(ranges: &[Range<'a>], partition: Option<Deletion>) -> Vec<Range<'a>> {
        let is_redundant = |inner: &Range, outer: &Range| {
            outer.start <= inner.start
                && inner.end <= outer.end
                && (inner.deletion.timestamp < outer.deletion.timestamp || inner.deletion == outer.deletion)
        };
        let mut kept: Vec<Range> = Vec::new();
        for range in ranges {
            if partition.is_some_and(|whole| range.deletion.timestamp < whole.timestamp)
                || kept.iter().any(|other| is_redundant(range, other))
            {
                continue;
            }
            kept.retain(|other| !is_redundant(other, range));
            kept.push(range.clone());
        }
        kept
    }

    fn overlap(a: &Range, b: &Range) -> bool {
        a.start < b.end && b.start < a.end
    }

    #[test]
    fn keeps_the_same_ranges_as_comparing_each_pair() {
        const BOUNDS: [[u8; 1]; 12] = [[0], [1], [2], [3], [4], [5], [6], [7], [8], [9], [10], [11]];
        let mut random = Random(1);
        for _ in 0..20_000 {
            let timestamps = 1 + random.below(12) as i64;
            let ranges: Vec<Range> = (0..random.below(14))
                .map(|_| {
                    let start = random.below(11);
                    let end = start + 1 + random.below(11 - start);
                    let timestamp = random.below(timestamps as usize) as i64;
                    range(timestamp, random.below(2) as u32, &BOUNDS[start], &BOUNDS[end])
                })
                .collect();
            let partition = (random.below(4) == 0).then_some(Deletion { timestamp: 1, local: 0 });
            let expected = pairwise(&ranges, partition);
            let reduced = reduce(ranges, partition);
            let is_order_significant = expected.iter().enumerate().any(|(i, a)| {
                expected[..i].iter().any(|b| a.deletion.timestamp == b.deletion.timestamp && overlap(a, b))
            });
            if is_order_significant {
                assert_eq!(reduced, expected);
            } else {
                assert!(reduced.is_sorted_by_key(|range| range.start));
                assert_eq!(reduced.len(), expected.len());
                assert!(expected.iter().all(|range| reduced.contains(range)), "{reduced:?} instead of {expected:?}");
            }
        }
    }

    #[test]
    fn of_equal_ranges_the_first_one_stays() {
        let mut second = range(1, 1, &[1], &[2]);
        second.written = &[7];
        let reduced = reduce(vec![range(1, 1, &[1], &[2]), second], None);
        assert_eq!(reduced, [range(1, 1, &[1], &[2])]);
    }

    /// Values as of `DELETE ... WHERE k = 1 AND a = ?`, a range for each of the values in random order.
    fn deletions(count: usize) -> Vec<Vec<u8>> {
        let mut random = Random(2);
        let mut order: Vec<usize> = (0..count).collect();
        for i in (1..count).rev() {
            order.swap(i, random.below(i + 1));
        }
        let value = |(at, &i): (usize, &usize)| {
            let (start, end) = ((2 * i as u32).to_be_bytes(), (2 * i as u32 + 1).to_be_bytes());
            let ranges = vec![range(at as i64, 1, &start, &end)];
            let mut out = Vec::new();
            write(&Operand { ranges, ..Operand::default() }, &mut out);
            out
        };
        order.iter().enumerate().map(value).collect()
    }

    #[test]
    fn twenty_thousand_unmerged_deletions_are_merged_within_seconds() {
        let merged = within(Duration::from_secs(20), || {
            let values = deletions(20_000);
            let once = crate::merged(&values.iter().map(Vec::as_slice).collect::<Vec<_>>());
            let one_more = crate::merged(&[&once, &values[7]]);
            assert_eq!(one_more, once);
            once
        });
        let operand = crate::merge::merge([merged.as_slice()]).unwrap();
        assert_eq!(operand.ranges.len(), 20_000);
        assert!(operand.ranges.is_sorted_by_key(|range| range.start));
    }

    #[test]
    fn nested_ranges_are_merged_within_seconds() {
        within(Duration::from_secs(20), || {
            let bounds: Vec<[u8; 4]> = (0..40_000u32).map(u32::to_be_bytes).collect();
            // each lies in the one before and is newer, so that all stay
            let nested: Vec<Range> = (0..20_000).map(|i| range(i as i64, 1, &bounds[i], &bounds[39_999 - i])).collect();
            assert_eq!(reduce(nested, None).len(), 20_000);
            // each contains the one before and is newer, so that the last one stays
            let growing: Vec<Range> =
                (0..20_000).rev().map(|i| range(-(i as i64), 1, &bounds[i], &bounds[39_999 - i])).collect();
            assert_eq!(reduce(growing, None).len(), 1);
        });
    }
}
