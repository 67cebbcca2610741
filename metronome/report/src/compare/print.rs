//! The comparison in a terminal.

use std::io::{self, Write};

use super::{Comparison, Finding, Time};
use crate::text::{Style, ms, percentile_name, wrap};

/// Prints the comparison as a table, at most 100 columns wide.
///
/// # Errors
/// Only if `out` cannot be written.
pub fn print_comparison(comparison: &Comparison, style: Style, out: &mut impl Write) -> io::Result<()> {
    let heading = format!("{:<10}{:<8}{:>12}{:>12}{:>9}   95% interval", "", "", "before ms", "after ms", "ratio");
    writeln!(out, "{}", style.faint(&heading))?;
    let mut last = None;
    for row in &comparison.rows {
        let time = match row.time {
            Time::Response => "response",
            Time::Service => "service",
        };
        let name = if last == Some(row.time) { "" } else { time };
        last = Some(row.time);
        let ratio = if row.ratio.is_finite() { times(row.ratio) } else { "-".to_string() };
        let percentile = percentile_name(row.percentile);
        let numbers = format!("{percentile:<8}{:>12}{:>12}{ratio:>9}", ms(row.before_ms), ms(row.after_ms));
        writeln!(out, "{}{numbers}   {}", style.strong(&format!("{name:<10}")), finding(&row.finding, style))?;
    }
    comparison.notes.iter().try_for_each(|note| writeln!(out, "{}", style.faint(&wrap(&format!("note: {note}"), 6))))
}

fn finding(finding: &Finding, style: Style) -> String {
    let interval = |low: f64, high: f64| format!("{:<16}", format!("{} to {}", times(low), times(high)));
    match finding {
        Finding::Faster { low, high } => format!("{}{}", interval(*low, *high), style.strong("faster")),
        Finding::Slower { low, high } => format!("{}{}", interval(*low, *high), style.strong("slower")),
        Finding::CannotTell { low, high } => format!("{}cannot tell", interval(*low, *high)),
        Finding::TooLittle { reason } => format!("cannot tell: {reason}"),
    }
}

/// Formats a ratio with two decimals, from 100 on as a whole number.
fn times(ratio: f64) -> String {
    if ratio < 99.995 { format!("{ratio:.2}") } else { format!("{ratio:.0}") }
}
