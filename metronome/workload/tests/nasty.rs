//! Loading any text as a workload ends with an error or a workload that runs: never with a panic, never with requests
//! larger than the protocol allows.

use std::panic::catch_unwind;

use workload::{Overrides, Workload};

const NASTY: &[&str] = &[
    "0",
    "-1",
    "1",
    "2.5",
    "1e308",
    "-1e308",
    ".nan",
    ".inf",
    "-.inf",
    "9223372036854775807",
    "18446744073709551615",
    "-9223372036854775808",
    "4294967295",
    "99999999999999999999",
    "true",
    "null",
    "''",
    "x",
    "ä",
    "{}",
    "[]",
    "[a]",
    "{ a: 1 }",
    "'a b'",
    "106751991167300d",
    "0s",
    "584542046y",
    "1ns",
    "'; DROP KEYSPACE x'",
    "\"\\0\"",
    "*x",
    "&x 1",
    "!!binary AA==",
    "2262-04-11T23:47:16Z",
    "1583-01-01T00:00:00Z",
    "text",
    "counter",
    "'vector<float, 8192>'",
    "{ min: 5, max: 1 }",
    "{ min: 0, max: 16777216 }",
    "16777216",
    "65535",
    "65536",
];

const EVERYTHING: &str = "
name: t
keyspace: k
seed: 1
tables:
  t:
    columns:
      a: { type: bigint, generate: { sequence: { start: 1, step: 1 } } }
      b: { type: text, generate: { text: { size: 12, prefix: p } } }
      c: { type: timestamp, generate: { time: { start: 2026-01-01T00:00:00Z, step: 1s } } }
      d: { type: int, generate: { zipf: { min: 1, max: 9, exponent: 1 } } }
      e: { type: double, generate: { gaussian: { mean: 1, stddev: 1, min: 0, max: 2 } } }
      f: { type: float, generate: { latitude: { latitude: 1, longitude: 1, radius_km: 1, step_m: 1 } } }
      g: { type: smallint, generate: { uniform: { min: 1, max: 9 } } }
      h: { type: blob, generate: { bytes: { size: 9 } } }
      i: { type: tinyint, generate: { one_of: [1, 2] } }
      j: { type: text, generate: { sequence: { prefix: x, digits: 9 } } }
      k: { type: timeuuid, generate: { time: { step: 1s } } }
    primary_key: [[a, b], c]
    partitions: 7
    clustering_rows: 9
    ttl: 1d
statements:
  w: { insert: t, weight: 1, pick: sequence, ttl: 1h }
  r: { select: t, weight: 1, pick: { zipf: { exponent: 1 } }, limit: 1, page_size: 1 }
  n: { select: t, weight: 1, pick: latest, by: partition }
  g: { select: t, weight: 1, pick: { gaussian: { mean: 0.5, stddev: 1 } } }
  m: { insert: t, weight: 1, batch: { rows: 3, kind: logged, within: row } }
  p: { insert: t, weight: 1, batch: { rows: 3 } }
rate: { every: 1s, tables: [t] }
";

/// Loads a workload and, if it is valid, encodes its first requests and the last row of every statement.
fn run(yaml: &str) {
    let Ok(workload) = Workload::load(yaml, &Overrides::default()) else { return };
    let mut out = Vec::new();
    for operation in (0..9).chain([u64::from(u32::MAX), 1 << 53]) {
        let (statement, row) = workload.pick(operation);
        let statement = &workload.statements()[statement];
        assert!(row < statement.row_count(), "row {row} of {}", statement.row_count());
        for row in [row, statement.row_count() - 1] {
            out.clear();
            statement.partition_key(row, &mut out);
            statement.encode(row, &mut out);
            assert!(out.len() <= 256 << 20, "{} bytes", out.len());
        }
    }
}

#[test]
fn no_value_anywhere_makes_it_panic() {
    let mut failures = Vec::new();
    for (at, _) in EVERYTHING.match_indices(": ") {
        let value_at = at + 2;
        let end = EVERYTHING[value_at..].find([',', '}', '\n']).map_or(EVERYTHING.len(), |length| value_at + length);
        for nasty in NASTY {
            let changed = format!("{}{nasty}{}", &EVERYTHING[..value_at], &EVERYTHING[end..]);
            if catch_unwind(|| run(&changed)).is_err() {
                let line = changed[..value_at].lines().count();
                failures.push(changed.lines().nth(line - 1).unwrap_or_default().trim().to_string());
            }
        }
    }
    assert!(failures.is_empty(), "panics with:\n{}", failures.join("\n"));
}
