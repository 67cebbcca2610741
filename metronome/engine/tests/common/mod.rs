//! A workload of one write and one read, and its run against given addresses.

#![allow(dead_code, reason = "each test file uses its part")]

use engine::{Config, Interval, Outcome, Protocol, Requests, RunError, StatementSpec, Stop, Topology, TopologyCell};
use schedule::{Arrivals, Profile, Schedule};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Writes of 170 bytes, key and value together; every `reads`-th request is a read.
pub struct KeyValue {
    statements: Vec<StatementSpec>,
    reads: u64,
}

fn statement(name: &str, cql: &str, values: u16, is_write: bool) -> StatementSpec {
    StatementSpec {
        name: name.to_owned(),
        cql: cql.to_owned(),
        values,
        consistency: 1,
        serial_consistency: None,
        page_size: None,
        routed: true,
        timestamps: is_write,
        acknowledged: is_write,
    }
}

impl KeyValue {
    pub fn writes() -> Self {
        let insert = "INSERT INTO metronome.kv (key, value) VALUES (?, ?)";
        Self { statements: vec![statement("write", insert, 2, true)], reads: 0 }
    }

    pub fn with_reads(every: u64) -> Self {
        let mut both = Self::writes();
        both.statements.push(statement("read", "SELECT value FROM metronome.kv WHERE key = ?", 1, false));
        Self { reads: every, ..both }
    }
}

impl Requests for KeyValue {
    fn statements(&self) -> &[StatementSpec] {
        &self.statements
    }

    fn pick(&self, index: u64) -> (usize, u64) {
        (usize::from(self.reads > 0 && index.is_multiple_of(self.reads)), index)
    }

    fn encode(&self, statement: usize, row: u64, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.statements[statement].values.to_be_bytes());
        out.extend_from_slice(&8_i32.to_be_bytes());
        out.extend_from_slice(&row.to_be_bytes());
        if statement == 0 {
            out.extend_from_slice(&162_i32.to_be_bytes());
            let end = out.len() + 162;
            out.resize(end, row as u8);
        }
    }

    fn partition_key(&self, _: usize, row: u64, out: &mut Vec<u8>) {
        out.extend_from_slice(&row.to_be_bytes());
    }
}

pub fn constant(rate: f64, seconds: f64) -> Schedule {
    Schedule::Rate { profile: Profile::constant(rate, seconds).expect("profile"), arrivals: Arrivals::Even }
}

pub fn config(schedule: Schedule) -> Config {
    Config {
        schedule,
        warmup: Duration::ZERO,
        threads: 1,
        pin: Vec::new(),
        connections_per_host: 1,
        in_flight: 32_768,
        request_timeout: Duration::from_secs(10),
        connect_timeout: Duration::from_secs(5),
        max_behind: Duration::from_millis(100),
        send_quantum: None,
        start_at_ns: None,
        acks: true,
        send_again: false,
        protocol: Protocol::default(),
    }
}

/// Runs measure time, so only one runs at a time.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

pub fn run_on(
    addresses: &[SocketAddr],
    config: Config,
    requests: KeyValue,
    on_interval: impl FnMut(&Interval),
) -> Result<Outcome, RunError> {
    let _lock = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let topology = Arc::new(TopologyCell::new(Topology::fixed(addresses.iter().copied())));
    engine::run(config, &Arc::new(requests), &topology, &Stop::default(), |_| None, on_interval)
}
