//! The file of acknowledged writes next to a result, with everything that `verify` needs to recompute the writes.
//!
//! The file has one line of JSON. Then follow for each load thread the number of its ranges and the ranges of
//! acknowledged positions, each as the gap before it and its length, all in LEB128. A run without failures takes a few
//! bytes.

use crate::error::CliError;
use crate::plan::Loaded;
use engine::{Acks, Outcome};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

/// The data of the run for `verify`.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct AcksHeader {
    pub(crate) workload_yaml: String,
    pub(crate) parameters: BTreeMap<String, String>,
    pub(crate) seed: Option<u64>,
    pub(crate) keyspace: Option<String>,
    pub(crate) hosts: Vec<String>,
    /// Request `i` has the write timestamp `timestamp_base_us + i`.
    pub(crate) timestamp_base_us: i64,
    pub(crate) ended_unix_s: u64,
    pub(crate) lanes: u32,
}

impl AcksHeader {
    pub(crate) fn new(loaded: &Loaded, outcome: &Outcome, hosts: &[String]) -> Self {
        Self {
            workload_yaml: loaded.yaml.clone(),
            parameters: loaded.overrides.parameters.clone(),
            seed: loaded.overrides.seed,
            keyspace: loaded.overrides.keyspace.clone(),
            hosts: hosts.to_vec(),
            timestamp_base_us: outcome.timestamp_base_us,
            ended_unix_s: machine::wall_ns() / 1_000_000_000,
            lanes: outcome.acks.len() as u32,
        }
    }
}

/// Path of the acknowledged writes of a result.
pub(crate) fn path_for(result: &Path) -> PathBuf {
    result.with_extension("acks")
}

/// Writes to a temporary file and renames it, so that a full disk leaves no partial file.
pub(crate) fn write(path: &Path, header: &AcksHeader, acks: &[Acks]) -> Result<(), CliError> {
    let part = path.with_extension("acks.part");
    let written = std::fs::File::create(&part).and_then(|file| {
        let mut out = BufWriter::new(file);
        serde_json::to_writer(&mut out, header)?;
        out.write_all(b"\n")?;
        let mut lanes: Vec<&Acks> = acks.iter().collect();
        lanes.sort_by_key(|a| a.lane);
        for lane in lanes {
            let ranges = ranges(lane.steps());
            put(ranges.len() as u64, &mut out)?;
            let mut at = 0;
            for (start, end) in ranges {
                put(start - at, &mut out)?;
                put(end - start, &mut out)?;
                at = end;
            }
        }
        out.into_inner()?.sync_all()?;
        std::fs::rename(&part, path)
    });
    written.map_err(|e| {
        // The partial file has no use; the error of the write matters.
        let _ = std::fs::remove_file(&part);
        CliError::File { path: path.to_owned(), source: e }
    })
}

/// Acknowledged positions of one load thread, as half-open ranges.
pub(crate) type Lane = Vec<(u64, u64)>;

/// Reads header and acknowledged positions, thread by thread.
pub(crate) fn read(path: &Path) -> Result<(AcksHeader, Vec<Lane>), CliError> {
    let file = std::fs::File::open(path).map_err(CliError::file(path))?;
    let mut input = BufReader::new(file);
    let mut line = String::new();
    input.read_line(&mut line).map_err(CliError::file(path))?;
    let not_acks = |e: &dyn std::fmt::Display| {
        CliError::Message(format!("{} is not a file of acknowledged writes: {e}", path.display()))
    };
    let header: AcksHeader = serde_json::from_str(&line).map_err(|e| not_acks(&e))?;
    let mut lanes = Vec::new();
    for _ in 0..header.lanes {
        let count = take(&mut input).map_err(|e| not_acks(&e))?;
        let mut at = 0;
        let mut lane = Vec::new();
        for _ in 0..count {
            let start = at + take(&mut input).map_err(|e| not_acks(&e))?;
            at = start + take(&mut input).map_err(|e| not_acks(&e))?;
            lane.push((start, at));
        }
        lanes.push(lane);
    }
    Ok((header, lanes))
}

/// Groups consecutive numbers into half-open ranges.
fn ranges(steps: impl Iterator<Item = u64>) -> Vec<(u64, u64)> {
    let mut all: Vec<(u64, u64)> = Vec::new();
    for step in steps {
        match all.last_mut() {
            Some((_, end)) if *end == step => *end += 1,
            _ => all.push((step, step + 1)),
        }
    }
    all
}

fn put(mut value: u64, out: &mut impl Write) -> std::io::Result<()> {
    while value >= 0x80 {
        out.write_all(&[value as u8 | 0x80])?;
        value >>= 7;
    }
    out.write_all(&[value as u8])
}

fn take(input: &mut impl Read) -> std::io::Result<u64> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let mut byte = [0];
        input.read_exact(&mut byte)?;
        value |= u64::from(byte[0] & 0x7f) << shift;
        if byte[0] < 0x80 {
            return Ok(value);
        }
    }
    Err(std::io::ErrorKind::InvalidData.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_every_length_survive() {
        for value in [0, 1, 127, 128, 300, 1 << 35, u64::MAX] {
            let mut bytes = Vec::new();
            put(value, &mut bytes).expect("memory");
            assert_eq!(take(&mut bytes.as_slice()).expect("same bytes"), value);
        }
    }

    #[test]
    fn acknowledged_positions_become_ranges() {
        assert_eq!(ranges([0, 1, 2, 5, 7, 8].into_iter()), [(0, 3), (5, 6), (7, 9)]);
        assert_eq!(ranges(std::iter::empty()), []);
    }
}
