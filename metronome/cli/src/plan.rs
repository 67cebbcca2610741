//! Converts the command line to workload, schedule and engine configuration.

use crate::args::{ClusterArgs, ScheduleArgs, SendArgs, WorkloadArgs};
use crate::error::CliError;
use crate::tls;
use discovery::ClusterOptions;
use engine::{Config, Credentials, Protocol};
use schedule::{Arrivals, Piece, Profile, Schedule, Trace};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use workload::{Overrides, Workload};

/// A workload with the data to load it again.
pub(crate) struct Loaded {
    pub(crate) workload: Workload,
    pub(crate) yaml: String,
    pub(crate) overrides: Overrides,
}

pub(crate) fn workload(args: &WorkloadArgs) -> Result<Loaded, CliError> {
    let yaml = match &args.file {
        Some(path) => std::fs::read_to_string(path).map_err(CliError::file(path))?,
        None => workload::built_in(&args.workload).map(str::to_owned).ok_or_else(|| {
            let known: Vec<&str> = workload::BUILT_IN.iter().map(|(name, _)| *name).collect();
            let (wanted, known) = (&args.workload, known.join(", "));
            CliError::Message(format!("there is no built-in workload `{wanted}`: use {known}, or a file with -f FILE"))
        })?,
    };
    let overrides = Overrides {
        parameters: parameters(args)?,
        seed: args.seed,
        keyspace: args.keyspace.clone(),
        consistency: args.consistency,
    };
    Ok(Loaded { workload: Workload::load(&yaml, &overrides)?, yaml, overrides })
}

fn parameters(args: &WorkloadArgs) -> Result<BTreeMap<String, String>, CliError> {
    let mut all = BTreeMap::new();
    let named = [
        ("read", args.read.clone()),
        ("rows", args.rows.map(|n| n.to_string())),
        ("drivers", args.drivers.map(|n| n.to_string())),
        ("riders", args.riders.map(|n| n.to_string())),
    ];
    all.extend(named.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))));
    for pair in &args.parameters {
        let Some((name, value)) = pair.split_once('=') else {
            return Err(CliError::Message(format!("--set {pair}: write NAME=VALUE")));
        };
        all.insert(name.to_owned(), value.to_owned());
    }
    Ok(all)
}

/// Makes the schedule and its text for people.
pub(crate) fn schedule(
    args: &ScheduleArgs,
    duration: Duration,
    poisson: bool,
    loaded: &Loaded,
) -> Result<(Schedule, String), CliError> {
    if let Some(path) = &args.trace {
        let trace = Trace::parse(&std::fs::read_to_string(path).map_err(CliError::file(path))?)?;
        let text = format!("trace {} of {} requests", path.display(), trace.starts_ns().len());
        return Ok((Schedule::Trace(Arc::new(trace)), text));
    }
    let seconds = duration.as_secs_f64();
    let (pieces, text) = if let Some(ramp) = &args.ramp {
        let parsed = ramp.split_once("..").and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
        let (from, to) =
            parsed.ok_or_else(|| CliError::Message(format!("--ramp {ramp}: write FROM..TO, such as 1000..50000")))?;
        (vec![Piece { from, to, seconds }], format!("ramp {from}/s to {to}/s"))
    } else if !args.steps.is_empty() {
        let pieces = args.steps.iter().map(|s| step(s)).collect::<Result<Vec<_>, _>>()?;
        (pieces, format!("steps {}", args.steps.join(" ")))
    } else {
        let rate = args.rate.or(loaded.workload.rate()).ok_or_else(|| {
            CliError::Message("the workload has no rate: give --rate, --ramp, --steps or --trace".to_owned())
        })?;
        (vec![Piece { from: rate, to: rate, seconds }], format!("constant {rate}/s"))
    };
    let arrivals = if poisson { Arrivals::Poisson { seed: loaded.workload.seed() } } else { Arrivals::Even };
    let text = if poisson { format!("poisson, {text}") } else { text };
    Ok((Schedule::Rate { profile: Profile::new(pieces)?, arrivals }, text))
}

fn step(text: &str) -> Result<Piece, CliError> {
    let wrong = || CliError::Message(format!("--steps {text}: write RATE:TIME, such as 5000:30s"));
    let (rate, time) = text.split_once(':').ok_or_else(wrong)?;
    let rate: f64 = rate.parse().map_err(|_| wrong())?;
    let seconds = humantime::parse_duration(time).map_err(|_| wrong())?.as_secs_f64();
    Ok(Piece { from: rate, to: rate, seconds })
}

pub(crate) fn cluster_options(args: &ClusterArgs) -> Result<ClusterOptions, CliError> {
    Ok(ClusterOptions {
        contact_points: args.hosts.clone(),
        local_datacenter: args.datacenter.clone(),
        credentials: credentials(args)?,
        tls: tls::tls(args)?,
        connect_timeout: args.connect_timeout,
    })
}

fn credentials(args: &ClusterArgs) -> Result<Option<Credentials>, CliError> {
    let Some(user) = &args.user else { return Ok(None) };
    let password = match &args.password_file {
        Some(path) => {
            std::fs::read_to_string(path).map_err(CliError::file(path))?.trim_end_matches(['\r', '\n']).to_owned()
        }
        None => std::env::var("METRONOME_PASSWORD").map_err(|_| {
            CliError::Message(format!(
                "the password of `{user}` is missing: give --password-file or set METRONOME_PASSWORD"
            ))
        })?,
    };
    Ok(Some(Credentials { user: user.clone(), password }))
}

pub(crate) fn config(send: &SendArgs, options: &ClusterOptions, schedule: Schedule) -> Result<Config, CliError> {
    if send.threads == 0 || send.connections == 0 {
        return Err(CliError::Message("--threads and --connections must be at least 1".to_owned()));
    }
    if !send.pin.is_empty() && send.pin.len() < send.threads as usize {
        return Err(CliError::Message(format!(
            "--pin names {} CPUs for {} threads: name one for each",
            send.pin.len(),
            send.threads
        )));
    }
    Ok(Config {
        schedule,
        warmup: Duration::ZERO,
        threads: send.threads,
        pin: send.pin.clone(),
        connections_per_host: send.connections,
        in_flight: send.in_flight as usize,
        request_timeout: send.timeout,
        connect_timeout: options.connect_timeout,
        max_behind: send.max_behind,
        send_quantum: send.send_quantum,
        start_at_ns: None,
        acks: false,
        send_again: send.send_again,
        protocol: Protocol {
            version: send.protocol.as_deref().map(|v| if v == "4" { cql::Version::V4 } else { cql::Version::V5 }),
            lz4: send.lz4,
            tls: options.tls.clone(),
            credentials: options.credentials.clone(),
        },
    })
}
