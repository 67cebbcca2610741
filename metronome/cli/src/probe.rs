//! `metronome probe`.

mod periods;

use crate::args::ProbeArgs;
use crate::cluster::{Target, stop_on_signals};
use crate::{CommandResult, Status, outcome, plan};
use periods::Periods;
use report::ErrorCount;
use schedule::{Arrivals, Profile, Schedule};
use serde::Serialize;
use std::io::Write;
use std::time::Duration;

/// One line of output.
#[derive(Debug, Serialize)]
struct Line {
    /// Wall-clock time at the end of the second.
    time: String,
    second: u64,
    succeeded: u64,
    failed: u64,
    outstanding: u64,
    response_ms: Percentiles,
    service_ms: Percentiles,
    errors: Vec<ErrorCount>,
    behind_ms: f64,
    hiccup_ms: f64,
}

#[derive(Debug, Serialize)]
struct Percentiles {
    p50: f64,
    p99: f64,
    max: f64,
}

impl Percentiles {
    fn of(times: &report::Latencies) -> Self {
        Self { p50: times.percentile_ms(50.0), p99: times.percentile_ms(99.0), max: times.max_ms() }
    }
}

pub(crate) fn probe(args: &ProbeArgs) -> CommandResult {
    let loaded = plan::workload(&args.workload)?;
    let options = plan::cluster_options(&args.cluster)?;
    let seconds = args.duration.map_or(f64::INFINITY, |d| d.as_secs_f64());
    let profile = Profile::constant(args.rate, seconds)?;
    let mut config = plan::config(&args.send, &options, Schedule::Rate { profile, arrivals: Arrivals::Even })?;
    // A probe may run on a busy machine: it reports its delay, which never makes it invalid.
    config.max_behind = Duration::MAX;
    let stop = stop_on_signals()?;
    let target = Target::open(&args.workload, options, &loaded)?;
    let mut periods = args.periods.then(|| Periods::from_standard_input(&stop)).transpose()?;
    target.run(config, &stop, |interval| {
        let second = outcome::interval(interval);
        let errors = outcome::error_counts(interval);
        let ended = periods.as_mut().and_then(|p| p.take(&second, &errors));
        let line = Line {
            time: humantime::format_rfc3339_millis(std::time::SystemTime::now()).to_string(),
            second: second.start_ms / 1_000,
            succeeded: second.succeeded,
            failed: second.failed,
            outstanding: second.in_flight,
            response_ms: Percentiles::of(&second.response),
            service_ms: Percentiles::of(&second.service),
            errors,
            behind_ms: second.behind_ms,
            hiccup_ms: second.hiccup_ms,
        };
        let printed = print(&line).and_then(|()| ended.as_ref().map_or(Ok(()), print));
        // Without a reader the probe has no purpose.
        if printed.is_err() {
            stop.stop();
        }
    })?;
    if let Some(last) = periods.and_then(Periods::end) {
        print(&last)?;
    }
    Ok(Status::Success)
}

fn print(line: &impl Serialize) -> std::io::Result<()> {
    writeln!(std::io::stdout(), "{}", serde_json::to_string(line).unwrap_or_default())
}
