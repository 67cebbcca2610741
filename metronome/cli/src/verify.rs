//! `metronome verify`: reads back the acknowledged writes of a run.

mod again;
mod expected;
mod raw;

use crate::acks_file::{self, AcksHeader};
use crate::args::VerifyArgs;
use crate::error::CliError;
use crate::{CommandResult, Status, plan};
use discovery::Cluster;
use expected::{Expected, Finding};
use raw::RawValues;
use scylla::client::session::Session;
use scylla::statement::prepared::PreparedStatement;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use workload::{Overrides, Workload};

/// Before a failed read is repeated.
const PAUSES: [Duration; 3] = [Duration::from_secs(1), Duration::from_secs(3), Duration::from_secs(10)];

/// Maximum number of bad rows to print.
const MAX_SHOWN: usize = 10;

pub(crate) fn verify(args: &VerifyArgs) -> CommandResult {
    let (header, lanes) = acks_file::read(&acks_file::path_for(&args.result))?;
    let workload = load(&header)?;
    let options = plan::cluster_options(&args.cluster)?;
    let expected = Expected::new(&workload, &header, &lanes);
    let cluster = Cluster::connect(&options)?;
    let (session, runtime) = cluster.session();
    let mut sum: BTreeMap<&str, u64> = BTreeMap::new();
    let mut bad = Vec::new();
    let mut unread = None;
    'tables: for table in expected.tables() {
        let select = expected.select(table, args.read_consistency);
        let prepared = match runtime.block_on(prepare(session, &select, args.read_consistency)) {
            Ok(prepared) => prepared,
            Err(e) => {
                unread = Some(e);
                break;
            }
        };
        for rows in expected.rows(table).chunks(args.concurrency.max(1) * 16) {
            let found = runtime.block_on(read_all(session, &prepared, &expected, table, rows, args.concurrency));
            for ((key, _), finding) in rows.iter().zip(found) {
                let finding = match finding {
                    Some(Ok(finding)) => finding,
                    Some(Err(e)) => {
                        unread.get_or_insert(e);
                        continue;
                    }
                    None => continue,
                };
                *sum.entry(finding.name()).or_default() += 1;
                if finding.is_bad() {
                    bad.push(format!("{table} row {key}: {finding}"));
                }
            }
            if unread.is_some() {
                break 'tables;
            }
        }
    }
    let rows: u64 = sum.values().sum();
    println!("{} acknowledged writes, {rows} rows read at {}", expected.writes(), args.read_consistency);
    for (finding, count) in &sum {
        println!("{count:>12}  {finding}");
    }
    if expected.not_comparable() > 0 {
        println!("{:>12}  acknowledged changes of parts of rows: cannot be compared", expected.not_comparable());
    }
    for line in bad.iter().take(MAX_SHOWN) {
        println!("  {line}");
    }
    let unread = unread.map(|e| format!("{rows} of {} rows are read: {e}", expected.len()));
    let (lines, result) = verdict(bad.len(), unread);
    lines.iter().for_each(|line| println!("{line}"));
    result
}

/// The closing lines, and how the command ends. A bad row that was found counts also when others could not be read.
fn verdict(wrong: usize, unread: Option<String>) -> (Vec<String>, CommandResult) {
    match (wrong, unread) {
        (0, None) => {
            (vec!["no acknowledged write is lost, none is older than acknowledged".into()], Ok(Status::Success))
        }
        (0, Some(unread)) => (vec![], Err(CliError::Message(unread))),
        (wrong, unread) => {
            let unread = unread.map(|unread| format!("only {unread}"));
            (std::iter::once(format!("{wrong} rows are wrong")).chain(unread).collect(), Ok(Status::Lost))
        }
    }
}

fn load(header: &AcksHeader) -> Result<Workload, CliError> {
    let overrides = Overrides {
        parameters: header.parameters.clone(),
        seed: header.seed,
        keyspace: header.keyspace.clone(),
        consistency: None,
    };
    Ok(Workload::load(&header.workload_yaml, &overrides)?)
}

async fn prepare(
    session: &Session,
    cql: &str,
    consistency: workload::Consistency,
) -> Result<PreparedStatement, CliError> {
    let mut prepared = session.prepare(cql).await.map_err(|e| {
        CliError::Message(format!("the server refused `{cql}`: {e}; check that --hosts is the cluster of the run"))
    })?;
    let level = scylla::statement::Consistency::try_from(consistency.code())
        .map_err(|e| CliError::Message(format!("--read-consistency {consistency}: {e}")))?;
    prepared.set_consistency(level);
    prepared.set_is_idempotent(true);
    Ok(prepared)
}

/// Reads rows, `concurrency` at a time, and judges each. The first that cannot be read ends it: None for those that
/// were not asked for then.
async fn read_all(
    session: &Session,
    prepared: &PreparedStatement,
    expected: &Expected<'_>,
    table: &str,
    rows: &[(u64, u64)],
    concurrency: usize,
) -> Vec<Option<Result<Finding, CliError>>> {
    let slots = Arc::new(tokio::sync::Semaphore::new(concurrency.max(1)));
    let reads = rows.iter().map(|(key, index)| {
        let slots = Arc::clone(&slots);
        async move {
            let _slot = slots.acquire().await.ok()?;
            let values = RawValues::of(expected.key_values(table, *key, *index));
            let read = again::again(&PAUSES, async || session.execute_unpaged(prepared, &values).await).await;
            let found = read.map_err(|e| {
                let attempts = PAUSES.len() + 1;
                format!("{attempts} attempts, the last one: {e}; verify again when every replica is up, or with a lower --concurrency")
            });
            let found = found.and_then(|result| result.into_rows_result().map_err(|e| e.to_string()));
            let found = found.and_then(|rows| {
                let found = raw::first_row(&rows).map_err(|e| e.to_string())?;
                Ok(expected.judge(table, *key, *index, found.as_deref()))
            });
            if found.is_err() {
                slots.close();
            }
            Some(found.map_err(|e| CliError::Message(format!("cannot read {table} row {key}: {e}"))))
        }
    });
    futures::future::join_all(reads).await
}

#[cfg(test)]
mod tests {
    use super::{CliError, Status, verdict};

    #[test]
    fn every_row_was_read_and_is_right() {
        let (lines, result) = verdict(0, None);
        assert_eq!(lines, ["no acknowledged write is lost, none is older than acknowledged"]);
        assert!(matches!(result, Ok(Status::Success)));
    }

    #[test]
    fn a_row_that_cannot_be_read_is_a_failure() {
        let (lines, result) = verdict(0, Some("5 of 9 rows are read".into()));
        assert!(lines.is_empty());
        assert!(matches!(result, Err(CliError::Message(text)) if text == "5 of 9 rows are read"));
    }

    #[test]
    fn a_wrong_row_is_a_loss() {
        let (lines, result) = verdict(2, None);
        assert_eq!(lines, ["2 rows are wrong"]);
        assert!(matches!(result, Ok(Status::Lost)));
    }

    #[test]
    fn a_wrong_row_is_a_loss_although_others_cannot_be_read() {
        let (lines, result) = verdict(2, Some("5 of 9 rows are read".into()));
        assert_eq!(lines, ["2 rows are wrong", "only 5 of 9 rows are read"]);
        assert!(matches!(result, Ok(Status::Lost)));
    }
}
