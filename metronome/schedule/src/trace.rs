//! Recorded start times.

/// Request starts of a recorded trace, in nanoseconds from its start, in order.
#[derive(Debug, PartialEq, Eq)]
pub struct Trace {
    starts_ns: Vec<u64>,
}

#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum TraceError {
    #[error("trace line {line}: `{text}` is not a number of seconds of at least 0")]
    NotSeconds { line: usize, text: String },
    #[error("the trace has no request: write one start per line, in seconds from the start of the trace")]
    Empty,
}

impl Trace {
    /// Reads one start per line, in seconds from the start of the trace. Ignores empty lines, lines that start with
    /// `#`, and the rest of a line after a comma or blank, so that the first column of a CSV file is read.
    ///
    /// # Errors
    /// When a line is not a time, with its number, or when the trace is empty.
    pub fn parse(text: &str) -> Result<Self, TraceError> {
        let mut starts_ns = Vec::new();
        for (i, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let field = line.split([',', ' ', '\t']).next().unwrap_or(line);
            match field.parse::<f64>() {
                Ok(seconds) if seconds.is_finite() && seconds >= 0.0 => starts_ns.push((seconds * 1e9).round() as u64),
                _ => return Err(TraceError::NotSeconds { line: i + 1, text: field.to_owned() }),
            }
        }
        if starts_ns.is_empty() {
            return Err(TraceError::Empty);
        }
        starts_ns.sort_unstable();
        Ok(Self { starts_ns })
    }

    pub fn starts_ns(&self) -> &[u64] {
        &self.starts_ns
    }

    pub(crate) fn duration_ns(&self) -> u64 {
        self.starts_ns.last().map_or(0, |last| last + 1)
    }
}
