//! Result files.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::latencies::{Latencies, packed};

/// Version of the JSON format. Reading refuses a higher one.
pub const FORMAT: u32 = 1;

/// The result of a run. Histograms hold nanoseconds. Response time starts at the intended start, service time at the
/// send; both histograms hold every request, also the failed ones.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct RunResult {
    pub format: u32,
    /// Version of the program that wrote it.
    pub metronome: String,
    pub workload: String,
    pub seed: u64,
    pub parameters: BTreeMap<String, String>,
    pub command: Vec<String>,
    pub hosts: Vec<String>,
    /// Facts about the server: release, datacenter, nodes.
    pub server: BTreeMap<String, String>,
    /// Send settings: protocol, consistency, connections, threads, compression, TLS.
    pub settings: BTreeMap<String, String>,
    pub schedule: Schedule,
    pub started_unix_ms: u64,
    pub duration_s: f64,
    /// Whether the numbers can be trusted; otherwise `invalid_reasons` has the reasons.
    pub valid: bool,
    pub invalid_reasons: Vec<String>,
    pub requests: Requests,
    pub response: Latencies,
    pub service: Latencies,
    pub statements: Vec<StatementResult>,
    pub errors: Vec<ErrorCount>,
    pub intervals: Vec<Interval>,
    /// The longest delay of a send that the generator itself caused, without waits for the in-flight limit.
    pub behind_ms: f64,
    /// Mean time from the intended start to the send: send quantum, in-flight limit, or a busy generator.
    pub sent_after_ms: Option<f64>,
    /// Pauses of an idle thread on the generator's CPUs, caused by the measuring machine.
    pub hiccups: Option<Latencies>,
    pub cpu_user_s: f64,
    pub cpu_system_s: f64,
    pub peak_memory_bytes: u64,
}

/// The intended starts of the requests.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Schedule {
    /// Text for people: `constant 20000/s`, `poisson, constant 5000/s`, `ramp 1000/s to 50000/s`.
    pub text: String,
    /// Requests per second over the whole run.
    pub mean_rate: f64,
}

/// Numbers of requests by outcome.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Requests {
    /// With an intended start in the run.
    pub intended: u64,
    pub sent: u64,
    /// Answered without an error.
    pub succeeded: u64,
    /// Answered with an error, timed out, or cut off.
    pub failed: u64,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct StatementResult {
    pub name: String,
    pub is_write: bool,
    pub consistency: String,
    pub succeeded: u64,
    pub failed: u64,
    pub response: Latencies,
    pub service: Latencies,
}

/// One kind of failure.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ErrorCount {
    /// Name of an `engine::Failure`: `client_timeout`, `overloaded`, `unavailable`, `connection_lost`, ...
    pub class: String,
    /// The protocol's error code, if the server sent one.
    pub code: Option<i32>,
    /// The first message.
    pub example: String,
    pub count: u64,
}

/// One interval of the run, normally a second. `intended` counts a request in the interval of its intended start, every
/// other field in the interval of its answer.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Interval {
    /// Start of the interval, relative to the start of the run.
    pub start_ms: u64,
    pub duration_ms: u64,
    pub intended: u64,
    pub sent: u64,
    pub succeeded: u64,
    pub failed: u64,
    /// Requests in flight at the end of the interval.
    pub in_flight: u64,
    pub behind_ms: f64,
    pub hiccup_ms: f64,
    #[serde(deserialize_with = "packed")]
    pub response: Latencies,
    #[serde(deserialize_with = "packed")]
    pub service: Latencies,
}

impl Interval {
    /// Compresses the histograms, because a long run keeps thousands of intervals.
    pub fn pack(&mut self) {
        self.response.pack();
        self.service.pack();
    }
}

impl RunResult {
    /// Completed requests per second, failures included.
    pub fn throughput(&self) -> f64 {
        (self.requests.succeeded + self.requests.failed) as f64 / self.duration_s.max(f64::MIN_POSITIVE)
    }

    /// Marks the run as invalid.
    pub fn invalidate(&mut self, reason: impl Into<String>) {
        self.valid = false;
        self.invalid_reasons.push(reason.into());
    }
}

/// The search for the highest rate that keeps a service level.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct SustainResult {
    pub format: u32,
    /// The service level: `p99<5ms,p99.9<10ms`.
    pub slo: String,
    pub objectives: Vec<Objective>,
    /// The highest rate that kept it; `None` if no rate did.
    pub sustainable_rate: Option<f64>,
    /// Lowest and highest outcome of the repeats of the last steps.
    pub spread: Option<(f64, f64)>,
    /// The tried rates, in order.
    pub steps: Vec<SustainStep>,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Objective {
    pub percentile: f64,
    pub limit_ms: f64,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SustainStep {
    pub rate: f64,
    pub verdict: Verdict,
    /// The numbers that decided.
    pub reason: String,
    pub run: RunResult,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    Kept,
    Missed,
    /// The run was invalid or had too few requests for the percentile.
    Unknown,
}

/// A result file; `kind` in the JSON is `run` or `sustain`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ResultFile {
    Run(Box<RunResult>),
    Sustain(Box<SustainResult>),
}

/// A result file that cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum ResultError {
    #[error("cannot read {}: {source}", path.display())]
    Read { path: PathBuf, source: std::io::Error },
    #[error("cannot write {}: {source}", path.display())]
    Write { path: PathBuf, source: std::io::Error },
    #[error("{} is not a result file of metronome run or sustain: {source}", path.display())]
    Parse { path: PathBuf, source: serde_json::Error },
    #[error("{} has format {found}, but this program reads up to {FORMAT}: use a newer metronome", path.display())]
    TooNew { path: PathBuf, found: u32 },
}

impl ResultFile {
    /// # Errors
    /// When the file cannot be opened, is not a result, or comes from a newer program.
    pub fn read(path: &Path) -> Result<ResultFile, ResultError> {
        let file = File::open(path).map_err(|source| ResultError::Read { path: path.into(), source })?;
        let result: ResultFile = serde_json::from_reader(BufReader::new(file))
            .map_err(|source| ResultError::Parse { path: path.into(), source })?;
        let found = match &result {
            ResultFile::Run(run) => run.format,
            ResultFile::Sustain(sustain) => sustain.format,
        };
        match found <= FORMAT {
            true => Ok(result),
            false => Err(ResultError::TooNew { path: path.into(), found }),
        }
    }

    /// Writes to a temporary file and renames it, so that a full disk leaves no partial result.
    ///
    /// # Errors
    /// When the file cannot be written; the temporary file is removed then.
    pub fn write(&self, path: &Path) -> Result<(), ResultError> {
        let error = |source| ResultError::Write { path: path.into(), source };
        let mut part = path.as_os_str().to_owned();
        part.push(".part");
        let part = PathBuf::from(part);
        let written = File::create(&part).and_then(|file| {
            let mut out = BufWriter::new(file);
            serde_json::to_writer(&mut out, self)?;
            out.write_all(b"\n")?;
            out.into_inner()?.sync_all()?;
            std::fs::rename(&part, path)
        });
        written.map_err(|source| {
            let _ = std::fs::remove_file(&part);
            error(source)
        })
    }
}
