//! `metronome sustain`: finds the highest rate that keeps a service level, by bracketing and bisection.

mod level;
mod search;

use crate::args::SustainArgs;
use crate::cluster::{Target, stop_on_signals};
use crate::error::CliError;
use crate::plan::Loaded;
use crate::run::writable;
use crate::{CommandResult, Status, outcome, plan};
use engine::{Requests as _, Stop};
use level::Level;
use report::{FORMAT, ResultFile, RunResult, Style, SustainResult, SustainStep, Verdict};
use schedule::{Arrivals, Profile, Schedule};
use search::Search;
use std::time::Duration;

/// Pause between two rates, in which the server answers the remaining requests of the last one.
const PAUSE: Duration = Duration::from_millis(500);

pub(crate) fn sustain(args: &SustainArgs) -> CommandResult {
    let level = Level::parse(&args.slo)?;
    if !(args.from > 0.0 && args.to >= args.from && args.precision > 0.0) {
        return Err(CliError::Message("--from and --precision must be above 0 and --to at least --from".to_owned()));
    }
    let loaded = plan::workload(&args.workload)?;
    let options = plan::cluster_options(&args.cluster)?;
    writable(&args.output)?;
    let stop = stop_on_signals()?;
    let target = Target::open(&args.workload, options, &loaded)?;
    let mut search = Search::new(args.from, args.to, args.precision, args.repeats);
    let mut steps: Vec<SustainStep> = Vec::new();
    while let Some(rate) = search.next_rate() {
        let step = try_rate(rate, args, &level, &target, &loaded, &stop)?;
        if stop.is_stopped() {
            return Err(CliError::Message("stopped before the search ended: no result is written".to_owned()));
        }
        eprintln!("{:>12.0}/s  {:<8} {}", step.rate, format!("{:?}", step.verdict).to_lowercase(), step.reason);
        search.judged(rate, step.verdict);
        steps.push(step);
        std::thread::sleep(PAUSE);
    }
    let result = SustainResult {
        format: FORMAT,
        slo: args.slo.clone(),
        objectives: level.objectives.clone(),
        sustainable_rate: search.sustainable(),
        spread: search.spread(),
        steps,
    };
    report::print_sustain(&result, Style::of(&std::io::stdout()), &mut std::io::stdout())?;
    ResultFile::Sustain(Box::new(result)).write(&args.output)?;
    println!("result: {}", args.output.display());
    Ok(Status::Success)
}

fn try_rate(
    rate: f64,
    args: &SustainArgs,
    level: &Level,
    target: &Target,
    loaded: &Loaded,
    stop: &Stop,
) -> Result<SustainStep, CliError> {
    let needed = level.requests_needed();
    let seconds = args.step.as_secs_f64().max(needed as f64 / rate * 1.05);
    if seconds > args.longest_step.as_secs_f64() {
        let longest = humantime::format_duration(args.longest_step);
        let reason = format!("{} needs {needed} requests, which takes longer than {longest} at this rate", args.slo);
        return Ok(SustainStep { rate, verdict: Verdict::Unknown, reason, run: RunResult::default() });
    }
    let profile = Profile::constant(rate, seconds + args.warmup.as_secs_f64())?;
    let seed = loaded.workload.seed();
    let arrivals = if args.even { Arrivals::Even } else { Arrivals::Poisson { seed } };
    let mut config = plan::config(&args.send, &target.options, Schedule::Rate { profile, arrivals })?;
    config.warmup = args.warmup;
    let mut intervals = Vec::new();
    let measured = target.run(config, stop, |i| {
        let mut interval = outcome::interval(i);
        interval.pack();
        intervals.push(interval);
    })?;
    let mut frame = target.describe(loaded, &args.send);
    let kind = if args.even { "constant" } else { "poisson" };
    frame.schedule.text = format!("{kind} {rate:.0}/s");
    let consistencies: Vec<String> = loaded.workload.statements().iter().map(|s| s.consistency.to_string()).collect();
    let run = outcome::fill(frame, seconds, &measured, target.requests.statements(), &consistencies, intervals);
    let (verdict, reason) = level.judge(&run);
    Ok(SustainStep { rate, verdict, reason, run })
}
