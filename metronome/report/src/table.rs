//! Tables in a terminal.

use std::io::{self, Write};

use crate::result::{RunResult, SustainResult, Verdict};
use crate::text::{COLUMNS, Style, count, ms, percentile_name, percentile_text, sent_after, wrap};

const PERCENTILES: [f64; 7] = [50.0, 90.0, 95.0, 99.0, 99.9, 99.99, 100.0];

/// Prints the table at the end of a run, at most 100 columns wide.
///
/// # Errors
/// Only if `out` cannot be written.
pub fn print_table(run: &RunResult, style: Style, out: &mut impl Write) -> io::Result<()> {
    writeln!(out)?;
    let requests = &run.requests;
    let (workload, duration_s) = (style.strong(&run.workload), run.duration_s);
    writeln!(out, "{workload}  {} for {duration_s:.1} s", run.schedule.text)?;
    writeln!(
        out,
        "{} requests meant to start, {} sent, {} ok, {} failed",
        count(requests.intended),
        count(requests.sent),
        count(requests.succeeded),
        count(requests.failed)
    )?;
    if !run.valid {
        print_invalid(&run.invalid_reasons, style, out)?;
    }
    print_latencies(run, style, out)?;
    print_errors(run, style, out)?;
    print_generator(run, style, out)
}

fn print_invalid(reasons: &[String], style: Style, out: &mut impl Write) -> io::Result<()> {
    let headline = "INVALID: these numbers do not describe the server";
    writeln!(out, "{}", style.loud(&format!(" {headline:<width$}", width = COLUMNS - 1)))?;
    for reason in reasons {
        writeln!(out, "  {} {}", style.loud("!"), wrap(reason, 4))?;
    }
    Ok(())
}

fn print_latencies(run: &RunResult, style: Style, out: &mut impl Write) -> io::Result<()> {
    let names: Vec<String> = PERCENTILES.iter().map(|p| format!("{:>8}", percentile_name(*p))).collect();
    writeln!(out, "\n{}", style.faint(&format!("{:<26}{:>12}  {}", "times in ms", "requests", names.concat())))?;
    let mut rows = vec![("all", "response", &run.response), ("", "service", &run.service)];
    if run.statements.len() > 1 {
        for statement in &run.statements {
            rows.push((statement.name.as_str(), "response", &statement.response));
            rows.push(("", "service", &statement.service));
        }
    }
    for (name, kind, latencies) in rows {
        let values: Vec<String> =
            PERCENTILES.iter().map(|p| format!("{:>8}", percentile_text(latencies, *p))).collect();
        let number = if name.is_empty() { String::new() } else { count(latencies.count()) };
        writeln!(out, "{}{kind:<10}{number:>12}  {}", style.strong(&format!("{name:<16.15}")), values.concat())?;
    }
    Ok(())
}

fn print_errors(run: &RunResult, style: Style, out: &mut impl Write) -> io::Result<()> {
    if run.errors.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{}", style.faint(&format!("{:<26}{:>12}  first message", "errors", "requests")))?;
    for error in &run.errors {
        let name = match error.code {
            Some(code) => format!("{} (0x{code:04X})", error.class),
            None => error.class.clone(),
        };
        let example: String =
            error.example.chars().map(|c| if c.is_control() { ' ' } else { c }).take(COLUMNS - 40).collect();
        writeln!(out, "{name:<26}{:>12}  {example}", count(error.count))?;
    }
    Ok(())
}

fn print_generator(run: &RunResult, style: Style, out: &mut impl Write) -> io::Result<()> {
    let cpu_s = run.cpu_user_s + run.cpu_system_s;
    let done = run.requests.succeeded + run.requests.failed;
    let per_cpu_s = if cpu_s > 0.0 { done as f64 / cpu_s } else { 0.0 };
    let hiccup = run.hiccups.as_ref().map_or("not watched".to_string(), |seen| format!("{} ms", ms(seen.max_ms())));
    let line = format!(
        "generator: {}/s, {}behind by at most {} ms, longest hiccup {hiccup}, CPU {cpu_s:.1} s ({}/CPU-s), {} MB",
        count(run.throughput().round() as u64),
        sent_after(run),
        ms(run.behind_ms),
        count(per_cpu_s.round() as u64),
        run.peak_memory_bytes / 1_000_000
    );
    writeln!(out, "\n{}", style.faint(&wrap(&line, 11)))
}

/// Prints the rates that `sustain` tried, lowest first, and the result of the search.
///
/// # Errors
/// Only if `out` cannot be written.
pub fn print_sustain(sustain: &SustainResult, style: Style, out: &mut impl Write) -> io::Result<()> {
    let mut steps: Vec<_> = sustain.steps.iter().collect();
    steps.sort_by(|left, right| left.rate.total_cmp(&right.rate));
    writeln!(out, "\n{}", style.faint(&format!("{:>12}  {:<8}  {}", "rate/s", "", "response times")))?;
    for step in steps {
        let verdict = match step.verdict {
            Verdict::Kept => "kept",
            Verdict::Missed => "missed",
            Verdict::Unknown => "unknown",
        };
        writeln!(out, "{:>12}  {verdict:<8}  {}", count(step.rate.round() as u64), step.reason)?;
    }
    let spread = match sustain.spread {
        Some((low, high)) => {
            format!(", {} to {} over the repeats", count(low.round() as u64), count(high.round() as u64))
        }
        None => String::new(),
    };
    match sustain.sustainable_rate {
        Some(rate) => {
            let text = format!("sustainable under {}: {}/s{spread}", sustain.slo, count(rate.round() as u64));
            writeln!(out, "\n{}", style.strong(&text))
        }
        None => writeln!(out, "\n{}", style.loud(&format!(" no rate tried keeps {} ", sustain.slo))),
    }
}
