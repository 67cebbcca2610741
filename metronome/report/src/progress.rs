//! Progress lines of a run.

use crate::result::Interval;
use crate::text::{Style, count, ms, percentile_text};

/// Number of lines between two headings.
const HEADING_EVERY: u64 = 20;

/// Formats a line for every second of a run; at most 100 columns.
pub struct Progress {
    style: Style,
    lines: u64,
}

const HEADING: &str = concat!(
    "                         │ response ms               │ service ms         │     in\n",
    "  time      ok/s  fail/s │   p50   p99 p99.9     max │   p50   p99    max │ flight behind"
);

impl Progress {
    pub fn new(style: Style) -> Self {
        Self { style, lines: 0 }
    }

    /// Formats the line, with a heading before every 20th. Times are in milliseconds.
    pub fn line(&mut self, interval: &Interval) -> String {
        let per_s = |n: u64| (n as f64 * 1e3 / interval.duration_ms.max(1) as f64).round() as u64;
        let (response, service) = (&interval.response, &interval.service);
        let failed = format!("{:>7}", count(per_s(interval.failed)));
        let failed = if interval.failed > 0 { self.style.loud(&failed) } else { failed };
        let end_s = (interval.start_ms + interval.duration_ms + 500) / 1_000;
        let line = format!(
            "{end_s:>5}s {:>9} {failed} │{:>6}{:>6}{:>6}{:>8} │{:>6}{:>6}{:>7} │{:>7}{:>7}",
            count(per_s(interval.succeeded)),
            percentile_text(response, 50.0),
            percentile_text(response, 99.0),
            percentile_text(response, 99.9),
            percentile_text(response, 100.0),
            percentile_text(service, 50.0),
            percentile_text(service, 99.0),
            percentile_text(service, 100.0),
            count(interval.in_flight),
            ms(interval.behind_ms),
        );
        let heading = self.lines.is_multiple_of(HEADING_EVERY);
        self.lines += 1;
        if heading { format!("{}\n{line}", self.style.faint(HEADING)) } else { line }
    }
}
