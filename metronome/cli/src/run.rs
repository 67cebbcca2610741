//! `metronome run`.

use crate::acks_file::{self, AcksHeader};
use crate::args::RunArgs;
use crate::cluster::{Target, stop_on_signals};
use crate::error::CliError;
use crate::{CommandResult, Status, outcome, plan};
use engine::{Requests as _, RunError};
use report::{HlogWriter, Latencies, Progress, ResultFile, Style};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

pub(crate) fn run(args: &RunArgs) -> CommandResult {
    let loaded = plan::workload(&args.workload)?;
    let (schedule, text) = plan::schedule(&args.schedule, args.warmup + args.duration, args.poisson, &loaded)?;
    let options = plan::cluster_options(&args.cluster)?;
    let mut config = plan::config(&args.send, &options, schedule)?;
    config.warmup = args.warmup;
    let schedule_s = config.schedule.duration_ns().map_or(0.0, |ns| ns as f64 / 1e9) - args.warmup.as_secs_f64();
    config.acks = true;
    config.start_at_ns = args.start_at.map(|t| t.duration_since(UNIX_EPOCH).map_or(0, |d| d.as_nanos() as u64));
    if let Some(late) = args.start_at.and_then(|at| SystemTime::now().duration_since(at).ok()) {
        return Err(RunError::StartInThePast { late_s: late.as_secs_f64() }.into());
    }
    writable(&args.output)?;
    let mut log = args.hlog.as_deref().map(Log::create).transpose()?;
    let stop = stop_on_signals()?;
    let target = Target::open(&args.workload, options, &loaded)?;
    let mut result = target.describe(&loaded, &args.send);
    result.schedule.text = text;

    let mut progress = (!args.quiet).then(|| Progress::new(Style::of(&std::io::stderr())));
    let mut intervals = Vec::new();
    let outcome = target.run(config, &stop, |interval| {
        let mut shown = outcome::interval(interval);
        if let Some(progress) = &mut progress {
            // A closed terminal must not end the run.
            let _ = writeln!(std::io::stderr(), "{}", progress.line(&shown));
        }
        if let Some(log) = &mut log {
            log.write(interval.run_started_at_ns / 1_000_000, &shown);
        }
        shown.pack();
        intervals.push(shown);
    })?;

    for note in &outcome.notes {
        eprintln!("{note}");
    }
    let statements = target.requests.statements();
    let consistencies: Vec<String> = loaded.workload.statements().iter().map(|s| s.consistency.to_string()).collect();
    let mut result = outcome::fill(result, schedule_s, &outcome, statements, &consistencies, intervals);
    if let Some(reason) = log.and_then(|log| log.failed) {
        result.invalidate(format!("the interval log is incomplete: {reason}"));
    }
    let acks_path = acks_file::path_for(&args.output);
    let header = AcksHeader::new(&loaded, &outcome, &args.cluster.hosts);
    let saved = acks_file::write(&acks_path, &header, &outcome.acks);
    if let Err(error) = &saved {
        result
            .invalidate(format!("the acknowledged writes could not be saved, so `verify` cannot check them: {error}"));
    }
    report::print_table(&result, Style::of(&std::io::stdout()), &mut std::io::stdout())?;
    let valid = result.valid;
    ResultFile::Run(Box::new(result)).write(&args.output)?;
    println!("result: {}", args.output.display());
    Ok(if valid { Status::Success } else { Status::Invalid })
}

/// Checks that a result can be written, so that a command fails before the run instead of after it.
pub(crate) fn writable(path: &Path) -> Result<(), CliError> {
    let directory = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let file = directory.join(format!(".metronome-{}", std::process::id()));
    std::fs::write(&file, b"").map_err(CliError::file(path))?;
    std::fs::remove_file(&file).map_err(CliError::file(path))
}

/// An interval log that keeps its first error instead of ending the run.
struct Log {
    path: PathBuf,
    /// Set at the first interval, when the base time of the log is known.
    writer: Option<HlogWriter>,
    failed: Option<String>,
}

impl Log {
    fn create(path: &Path) -> Result<Self, CliError> {
        std::fs::File::create(path).map_err(CliError::file(path))?;
        Ok(Self { path: path.to_owned(), writer: None, failed: None })
    }

    fn write(&mut self, started_unix_ms: u64, interval: &report::Interval) {
        if self.failed.is_some() {
            return;
        }
        if let Err(e) = self.append(started_unix_ms, interval) {
            eprintln!("metronome: {e}; the run continues without the log");
            self.failed = Some(e.to_string());
        }
    }

    fn append(&mut self, started_unix_ms: u64, interval: &report::Interval) -> std::io::Result<()> {
        let writer = match &mut self.writer {
            Some(writer) => writer,
            None => self.writer.insert(HlogWriter::create(&self.path, started_unix_ms, "metronome run")?),
        };
        let mut put = |tag: &str, times: &Latencies| writer.write(tag, interval.start_ms, interval.duration_ms, times);
        put("response", &interval.response).and_then(|()| put("service", &interval.service))
    }
}
