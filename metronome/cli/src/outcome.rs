//! Converts the measurements of the engine to a result.

use crate::args::SendArgs;
use crate::plan::Loaded;
use discovery::ClusterOptions;
use engine::{Failure, Interval, Outcome, StatementSpec};
use report::{ErrorCount, FORMAT, Latencies, Requests, RunResult, StatementResult};
use std::collections::BTreeMap;

/// Makes the frame of a result: everything known before the first request.
pub(crate) fn describe(
    loaded: &Loaded,
    send: &SendArgs,
    options: &ClusterOptions,
    hosts: Vec<String>,
    datacenter: Option<&str>,
) -> RunResult {
    let on_off = |on: bool| if on { "on" } else { "off" }.to_owned();
    let settings = [
        ("protocol", send.protocol.clone().unwrap_or_else(|| "5, or 4 where 5 is not known".to_owned())),
        ("lz4", on_off(send.lz4)),
        ("tls", on_off(options.tls.is_some())),
        ("authentication", on_off(options.credentials.is_some())),
        ("threads", send.threads.to_string()),
        ("connections per thread and host", send.connections.to_string()),
        ("in flight per connection", send.in_flight.to_string()),
        ("send again", on_off(send.send_again)),
        ("request timeout", humantime::format_duration(send.timeout).to_string()),
        (
            "send quantum",
            send.send_quantum.map_or("by the rate".to_owned(), |q| humantime::format_duration(q).to_string()),
        ),
    ];
    let workload = &loaded.workload;
    RunResult {
        format: FORMAT,
        metronome: env!("CARGO_PKG_VERSION").to_owned(),
        workload: workload.name().to_owned(),
        seed: workload.seed(),
        parameters: workload.parameters().clone(),
        command: std::env::args().collect(),
        hosts,
        server: datacenter.map(|dc| BTreeMap::from([("datacenter".to_owned(), dc.to_owned())])).unwrap_or_default(),
        settings: settings.into_iter().map(|(k, v)| (k.to_owned(), v)).collect(),
        ..RunResult::default()
    }
}

/// Sums response and service times over all statements.
fn all(interval: &Interval) -> (Latencies, Latencies) {
    let (mut response, mut service) = (Latencies::new(), Latencies::new());
    for statement in &interval.statements {
        response.add(&statement.response);
        service.add(&statement.service);
    }
    (response, service)
}

fn count(interval: &Interval) -> Requests {
    let sum = |of: fn(&engine::StatementInterval) -> u64| interval.statements.iter().map(of).sum();
    Requests {
        intended: interval.intended,
        sent: interval.sent,
        succeeded: sum(|s| s.succeeded),
        failed: sum(|s| s.failed),
    }
}

/// Converts one second for the progress line and the result file.
pub(crate) fn interval(of: &Interval) -> report::Interval {
    let (response, service) = all(of);
    let requests = count(of);
    report::Interval {
        start_ms: of.start_ns / 1_000_000,
        duration_ms: (of.end_ns - of.start_ns) / 1_000_000,
        intended: requests.intended,
        sent: requests.sent,
        succeeded: requests.succeeded,
        failed: requests.failed,
        in_flight: of.outstanding,
        behind_ms: of.behind_ns as f64 / 1e6,
        hiccup_ms: of.hiccups.max_ms(),
        response,
        service,
    }
}

pub(crate) fn error_counts(of: &Interval) -> Vec<ErrorCount> {
    let mut all: Vec<ErrorCount> = Vec::new();
    for failure in &of.failures {
        let (class, code) = (failure.failure.name().to_owned(), code(failure.failure));
        match all.iter_mut().find(|e| e.class == class && e.code == code) {
            Some(known) => known.count += failure.count,
            None => {
                all.push(ErrorCount { class, code, example: failure.first_message.clone(), count: failure.count });
            }
        }
    }
    all
}

fn code(failure: Failure) -> Option<i32> {
    match failure {
        Failure::Server(code) => Some(code.0),
        _ => None,
    }
}

/// Fills the frame with the measurements.
pub(crate) fn fill(
    mut result: RunResult,
    schedule_s: f64,
    outcome: &Outcome,
    statements: &[StatementSpec],
    consistencies: &[String],
    intervals: Vec<report::Interval>,
) -> RunResult {
    let total = &outcome.total;
    (result.response, result.service) = all(total);
    result.requests = count(total);
    result.started_unix_ms = outcome.started_at_ns / 1_000_000;
    result.duration_s = outcome.elapsed_ns as f64 / 1e9;
    result.schedule.mean_rate = result.requests.intended as f64 / schedule_s.max(f64::MIN_POSITIVE);
    result.valid = true;
    for reason in &outcome.invalid {
        result.invalidate(reason.clone());
    }
    result.statements = statements
        .iter()
        .zip(&total.statements)
        .zip(consistencies)
        .map(|((spec, measured), consistency)| StatementResult {
            name: spec.name.clone(),
            is_write: spec.acknowledged,
            consistency: consistency.clone(),
            succeeded: measured.succeeded,
            failed: measured.failed,
            response: measured.response.clone(),
            service: measured.service.clone(),
        })
        .collect();
    result.errors = error_counts(total);
    result.intervals = intervals;
    result.behind_ms = total.behind_ns as f64 / 1e6;
    result.sent_after_ms = Some(total.waited_ns as f64 / total.sent.max(1) as f64 / 1e6);
    result.hiccups = Some(total.hiccups.clone());
    result.cpu_user_s = outcome.cpu.user_s;
    result.cpu_system_s = outcome.cpu.system_s;
    result.peak_memory_bytes = outcome.peak_rss_bytes;
    result
}
