//! Reads, merges and purges random and mutated bytes. The functions run inside RocksDB, where a panic ends the node.
//! `DecoderFuzzTest` in Java does the same to the decoder.

use crate::counter;
use crate::merge::merge;
use crate::merged;
use crate::operand::{Cell, Deletion, Liveness, NEVER, Operand, Range, Value, write};
use crate::purge::Purger;
use crate::testing::{Random, largest_allocation, within};
use std::time::Duration;

const SEEDS: u64 = 60_000;
const BOUNDS: [&[u8]; 5] = [&[], &[0], &[0, 7], &[9], &[255, 255]];
const NUMBERS: [u32; 6] = [u32::MAX, 1 << 31, i32::MAX as u32, 1 << 28, 0, 1];

fn pick<T: Copy>(random: &mut Random, from: &[T]) -> T {
    from[random.below(from.len())]
}

fn chance<T>(random: &mut Random, one_in: usize, value: impl FnOnce(&mut Random) -> T) -> Option<T> {
    (random.below(one_in) == 0).then(|| value(random))
}

fn deletion(random: &mut Random) -> Deletion {
    Deletion { timestamp: random.below(6) as i64 - 1, local: random.below(3) as u32 }
}

fn range(random: &mut Random) -> Range<'static> {
    let (start, end, written) = (pick(random, &BOUNDS), pick(random, &BOUNDS), pick(random, &BOUNDS));
    Range { deletion: deletion(random), start, end, written }
}

fn cell(random: &mut Random, column: u16) -> Cell<'static> {
    let is_counter = random.below(4) == 0;
    let ttl = random.below(3) as u32;
    let value = if is_counter {
        let id = random.below(3) as u8;
        let one = [vec![0, 1, 0x80, 0], vec![id; 16], vec![0; 15], vec![random.below(4) as u8]].concat();
        Value::Merged(counter::merge(&one, &one).unwrap_or(one))
    } else {
        Value::Stored(pick(random, &BOUNDS))
    };
    Cell {
        column,
        is_column_deletion: !is_counter && random.below(5) == 0,
        path: chance(random, 3, |random| pick(random, &BOUNDS)),
        timestamp: random.below(6) as i64 - 1,
        ttl,
        local: if ttl == 0 && random.below(3) > 0 { NEVER } else { random.below(3) as u32 },
        is_counter,
        value,
    }
}

/// The operand of a random write.
fn value(random: &mut Random) -> Vec<u8> {
    let operand = Operand {
        partition_deletion: chance(random, 4, deletion),
        ranges: (0..random.below(4)).map(|_| range(random)).collect(),
        liveness: chance(random, 2, |random| Liveness { timestamp: 1, ttl: random.below(2) as u32, expiration: 5 }),
        row_deletion: chance(random, 4, deletion),
        is_shadowable: random.below(5) == 0,
        clustering: chance(random, 4, |random| pick(random, &BOUNDS)),
        cells: (0..random.below(4) as u16).map(|column| cell(random, column)).collect(),
    };
    let mut out = Vec::new();
    write(&operand, &mut out);
    out
}

fn mutate(random: &mut Random, value: &mut Vec<u8>) {
    for _ in 0..=random.below(3) {
        let at = random.below(value.len() + 1);
        match random.below(5) {
            0 => value.truncate(at),
            1 => value.insert(at, random.below(256) as u8),
            2 => value.extend((0..random.below(9)).map(|_| random.below(256) as u8)),
            3 => {
                let number = pick(random, &NUMBERS).to_be_bytes();
                value.splice(at..(at + 4).min(value.len()), number);
            }
            _ if at < value.len() => value[at] ^= 1 << random.below(8),
            _ => {}
        }
    }
}

fn purge(random: &mut Random, value: &[u8]) -> Vec<u8> {
    let limits = [i64::MIN, -1, 0, 1, 2, i64::MAX];
    let purger = Purger {
        now: pick(random, &limits),
        before: pick(random, &limits),
        below_timestamp: pick(random, &limits),
        swept_before: pick(random, &limits),
        keeps_elements: pick(random, &[false, true]),
    };
    let Ok(mut operand) = merge([value]) else { return Vec::new() };
    purger.purge(&mut operand);
    let mut out = Vec::new();
    write(&operand, &mut out);
    out
}

#[test]
fn mutated_values_are_merged_or_concatenated_without_a_panic_or_a_large_allocation() {
    within(Duration::from_secs(120), || {
        for seed in 1..=SEEDS {
            let mut random = Random(seed);
            let mut values: Vec<Vec<u8>> = (0..1 + random.below(4)).map(|_| value(&mut random)).collect();
            let mutated = random.below(values.len());
            mutate(&mut random, &mut values[mutated]);
            let size: usize = values.iter().map(Vec::len).sum();
            let (out, largest) = largest_allocation(|| merged(&values.iter().map(Vec::as_slice).collect::<Vec<_>>()));
            let (purged, of_purge) = largest_allocation(|| purge(&mut random, &out));
            assert!(largest.max(of_purge) <= 4096 + 200 * size, "seed {seed}: {largest} bytes for {size}");
            assert!(out.len().max(purged.len()) <= 64 + 8 * size, "seed {seed}: {} bytes of {size}", out.len());
        }
    });
}

#[test]
fn a_merged_value_stays_the_same_when_it_is_merged_again() {
    for seed in 1..=20_000 {
        let mut random = Random(seed);
        let values: Vec<Vec<u8>> = (0..2 + random.below(4)).map(|_| value(&mut random)).collect();
        let once = merged(&values.iter().map(Vec::as_slice).collect::<Vec<_>>());
        assert_eq!(merged(&[&once, &[]]), once, "seed {seed}");
    }
}
