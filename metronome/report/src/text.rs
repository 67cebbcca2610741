//! Numbers, styles and line breaks of printed text.

use crate::latencies::Latencies;
use crate::result::RunResult;

/// Plain text, or colours and weight for a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    Plain,
    Terminal,
}

impl Style {
    /// The style of standard output or error: plain unless it is a terminal and `NO_COLOR` is not set (no-color.org).
    pub fn of(stream: &impl std::io::IsTerminal) -> Style {
        let wanted = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        if wanted && stream.is_terminal() { Style::Terminal } else { Style::Plain }
    }

    pub(crate) fn loud(self, text: &str) -> String {
        self.paint("1;37;41", text)
    }

    pub(crate) fn strong(self, text: &str) -> String {
        self.paint("1", text)
    }

    pub(crate) fn faint(self, text: &str) -> String {
        self.paint("2", text)
    }

    fn paint(self, code: &str, text: &str) -> String {
        match self {
            Style::Plain => text.to_string(),
            Style::Terminal => format!("\x1b[{code}m{text}\x1b[0m"),
        }
    }
}

/// Formats milliseconds with three digits: 0.123, 1.23, 12.3, 123, 1230.
pub(crate) fn ms(value: f64) -> String {
    match value {
        v if v < 0.9995 => format!("{v:.3}"),
        v if v < 9.995 => format!("{v:.2}"),
        v if v < 99.95 => format!("{v:.1}"),
        v => format!("{v:.0}"),
    }
}

/// Formats a whole number with commas: 1,234,567.
pub(crate) fn count(value: u64) -> String {
    let digits = value.to_string();
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().map(|group| std::str::from_utf8(group).unwrap_or("")).collect();
    groups.join(",")
}

/// Names a percentile: p50, p99.9, max.
pub(crate) fn percentile_name(percentile: f64) -> String {
    if percentile >= 100.0 { "max".to_string() } else { format!("p{percentile}") }
}

/// Maximum width of every output.
pub(crate) const COLUMNS: usize = 100;

/// Breaks text between words at [`COLUMNS`]; indents later lines by `indent`.
pub(crate) fn wrap(text: &str, indent: usize) -> String {
    let (mut wrapped, mut column) = (String::new(), 0);
    for word in text.split_whitespace() {
        let width = word.chars().count();
        if column > 0 && column + 1 + width > COLUMNS - indent {
            wrapped.push('\n');
            wrapped.push_str(&" ".repeat(indent));
            column = 0;
        } else if column > 0 {
            wrapped.push(' ');
            column += 1;
        }
        wrapped.push_str(word);
        column += width;
    }
    wrapped
}

/// Formats a percentile in milliseconds; a dash if no request lies beyond it.
pub(crate) fn percentile_text(latencies: &Latencies, percentile: f64) -> String {
    latencies.supported_percentile_ms(percentile).map_or("-".to_string(), ms)
}

/// The mean delay of the sends; empty for results of older versions, which did not measure it.
pub(crate) fn sent_after(run: &RunResult) -> String {
    run.sent_after_ms
        .map_or(String::new(), |mean| format!("sent {} ms after the intended start on average, ", ms(mean)))
}
