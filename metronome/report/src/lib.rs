//! Results of runs and their presentation: result file, interval logs, tables, comparison, plots.

mod compare;
mod hlog;
mod latencies;
mod plot;
mod progress;
mod result;
mod table;
mod text;

pub use compare::{Comparison, Finding, Row, Time, compare, print_comparison};
pub use hlog::HlogWriter;
pub use latencies::Latencies;
pub use plot::plot_html;
pub use progress::Progress;
pub use result::{
    ErrorCount, FORMAT, Interval, Objective, Requests, ResultError, ResultFile, RunResult, Schedule, StatementResult,
    SustainResult, SustainStep, Verdict,
};
pub use table::{print_sustain, print_table};
pub use text::Style;
