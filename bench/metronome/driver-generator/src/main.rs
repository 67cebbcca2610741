//! A plain load generator for comparison: the `scylla` driver, one thread, and tasks that each write one record after
//! another and record its time. A record has five columns of 34 bytes, as in `metronome run writes`.
//!
//! Usage: driver-generator HOST:PORT SECONDS TASKS

use hdrhistogram::Histogram;
use scylla::client::session::Session;
use scylla::client::session_builder::SessionBuilder;
use scylla::statement::prepared::PreparedStatement;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

const SCHEMA: [&str; 2] = [
    "CREATE KEYSPACE IF NOT EXISTS driver_generator \
     WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}",
    "CREATE TABLE IF NOT EXISTS driver_generator.records \
     (key blob, c0 blob, c1 blob, c2 blob, c3 blob, c4 blob, PRIMARY KEY (key))",
];
const INSERT: &str = "INSERT INTO driver_generator.records (key, c0, c1, c2, c3, c4) VALUES (?, ?, ?, ?, ?, ?)";

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, host, seconds, tasks] = arguments.as_slice() else {
        return Err("usage: driver-generator HOST:PORT SECONDS TASKS".into());
    };
    let until = Duration::from_secs(seconds.parse()?);
    let session: Arc<Session> = Arc::new(SessionBuilder::new().known_node(host).build().await?);
    for statement in SCHEMA {
        session.query_unpaged(statement, &[]).await?;
    }
    let insert = Arc::new(session.prepare(INSERT).await?);
    let next = Arc::new(AtomicU64::new(0));
    let start = Instant::now();
    let all: Vec<_> = (0..tasks.parse()?)
        .map(|_| {
            let (session, insert, next) = (Arc::clone(&session), Arc::clone(&insert), Arc::clone(&next));
            tokio::spawn(write_until(session, insert, next, start + until))
        })
        .collect();
    let mut times = Histogram::<u64>::new_with_bounds(1, 3_600_000_000_000, 3)?;
    for task in all {
        times.add(task.await??)?;
    }
    let (seconds, p99_us) = (start.elapsed().as_secs_f64(), times.value_at_quantile(0.99) / 1_000);
    println!("{} requests in {seconds:.1} s, p99 {p99_us} us", times.len());
    Ok(())
}

async fn write_until(
    session: Arc<Session>,
    insert: Arc<PreparedStatement>,
    next: Arc<AtomicU64>,
    end: Instant,
) -> Result<Histogram<u64>, String> {
    let mut times = Histogram::<u64>::new_with_bounds(1, 3_600_000_000_000, 3).map_err(|e| e.to_string())?;
    loop {
        let row = next.fetch_add(1, Ordering::Relaxed);
        let mut key = [0; 10];
        key[..8].copy_from_slice(&row.to_be_bytes());
        let value = [row as u8; 34];
        let cells: (&[u8], &[u8], &[u8], &[u8], &[u8], &[u8]) = (&key, &value, &value, &value, &value, &value);
        let sent = Instant::now();
        if sent >= end {
            return Ok(times);
        }
        session.execute_unpaged(&insert, cells).await.map_err(|e| e.to_string())?;
        times.saturating_record(sent.elapsed().as_nanos() as u64);
    }
}
