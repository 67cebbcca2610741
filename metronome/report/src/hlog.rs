//! Interval logs.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::latencies::Latencies;

/// Writes a standard HdrHistogram V2 interval log (`.hlog`): readable by HistogramLogAnalyzer, HistogramLogProcessor,
/// hdrplot and the like. Values are nanoseconds; the column of maxima is milliseconds.
///
/// Each line is flushed to the file, so that the log of a killed run is complete up to its end.
pub struct HlogWriter {
    path: PathBuf,
    file: BufWriter<File>,
}

impl HlogWriter {
    /// Creates the file and writes the header. Interval times are relative to `started_unix_ms`.
    ///
    /// # Errors
    /// When the file cannot be written; the message has the path.
    pub fn create(path: &Path, started_unix_ms: u64, about: &str) -> io::Result<Self> {
        let file = File::create(path).map_err(|error| at(path, error))?;
        let mut log = Self { path: path.into(), file: BufWriter::new(file) };
        let seconds = started_unix_ms as f64 / 1e3;
        let start =
            humantime::format_rfc3339_millis(std::time::UNIX_EPOCH + std::time::Duration::from_millis(started_unix_ms));
        let about = about.replace(['\n', '\r'], " ");
        let header = format!(
            "#[{about}]\n#[Histogram log format version 1.3]\n\
             #[StartTime: {seconds:.3} (seconds since epoch), {start}]\n\
             #[BaseTime: {seconds:.3} (seconds since epoch)]\n\
             \"StartTimestamp\",\"Interval_Length\",\"Interval_Max\",\"Interval_Compressed_Histogram\"\n"
        );
        log.put(&header)?;
        Ok(log)
    }

    /// Appends one interval under a tag such as `response`, `service` or `write-response`. Intervals without requests
    /// are written too, because they show a reader that no response arrived.
    ///
    /// # Errors
    /// When the file cannot be written, for example on a full disk; the message has the path. The caller marks the run.
    pub fn write(&mut self, tag: &str, start_ms: u64, duration_ms: u64, latencies: &Latencies) -> io::Result<()> {
        let tag: String = tag.chars().map(|c| if c == ',' || c.is_whitespace() { '_' } else { c }).collect();
        let line = format!(
            "Tag={tag},{:.3},{:.3},{:.3},{}\n",
            start_ms as f64 / 1e3,
            duration_ms as f64 / 1e3,
            latencies.max_ms(),
            latencies.to_base64()
        );
        self.put(&line)
    }

    fn put(&mut self, text: &str) -> io::Result<()> {
        self.file.write_all(text.as_bytes()).and_then(|()| self.file.flush()).map_err(|error| at(&self.path, error))
    }
}

fn at(path: &Path, error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("interval log {}: {error}", path.display()))
}
