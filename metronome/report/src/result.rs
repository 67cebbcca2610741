use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::latencies::{Latencies, packed};

/// The version of the JSON form; a file with a higher one is refused.
pub const FORMAT: u32 = 1;

/// Everything a run produced. Times in histograms are nanoseconds; response time runs from the intended start, service
/// time from the actual send; both hold every request, failed ones too.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct RunResult {
    pub format: u32,
    /// Version of the program that made it.
    pub metronome: String,
    pub workload: String,
    pub seed: u64,
    pub parameters: BTreeMap<String, String>,
    pub command: Vec<String>,
    pub hosts: Vec<String>,
    /// What the server says of itself: release, datacenter, nodes.
    pub server: BTreeMap<String, String>,
    /// How requests were sent: protocol, consistency, connections, threads, compression, TLS.
    pub settings: BTreeMap<String, String>,
    pub schedule: Schedule,
    pub started_unix_ms: u64,
    pub duration_s: f64,
    /// Whether the numbers can be trusted; if not, `invalid_reasons` says why.
    pub valid: bool,
    pub invalid_reasons: Vec<String>,
    pub requests: Requests,
    pub response: Latencies,
    pub service: Latencies,
    pub statements: Vec<StatementResult>,
    pub errors: Vec<ErrorCount>,
    pub intervals: Vec<Interval>,
    /// The furthest that the generator itself sent after the intended start, without an in-flight limit holding it back.
    pub behind_ms: f64,
    /// From the intended start to the send, on average: the send quantum, an in-flight limit, or a generator that is busy.
    pub sent_after_ms: Option<f64>,
    /// How long an idle thread beside the generator was kept from running: what the measuring machine did.
    pub hiccups: Option<Latencies>,
    pub cpu_user_s: f64,
    pub cpu_system_s: f64,
    pub peak_memory_bytes: u64,
}

/// When requests were meant to start.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Schedule {
    /// As a person reads it: `constant 20000/s`, `poisson 5000/s`, `ramp 1000/s to 50000/s`.
    pub text: String,
    /// Requests per second over the whole run.
    pub mean_rate: f64,
}

/// How many requests got how far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Requests {
    /// Had an intended start in the run.
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
    /// `timeout`, `overloaded`, `unavailable`, `connection`, ...: see the engine.
    pub class: String,
    /// The protocol's error code, if the server sent one.
    pub code: Option<i32>,
    /// The message of the first of them.
    pub example: String,
    pub count: u64,
}

/// What happened in one stretch of the run, normally a second. A request belongs to the interval of its intended start
/// in `intended`, and to that of its answer everywhere else.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Interval {
    /// Since the start of the run.
    pub start_ms: u64,
    pub duration_ms: u64,
    pub intended: u64,
    pub sent: u64,
    pub succeeded: u64,
    pub failed: u64,
    /// Sent and not answered at the end of the interval.
    pub in_flight: u64,
    pub behind_ms: f64,
    pub hiccup_ms: f64,
    #[serde(deserialize_with = "packed")]
    pub response: Latencies,
    #[serde(deserialize_with = "packed")]
    pub service: Latencies,
}

impl Interval {
    /// Makes it small, for keeping: a long run has thousands.
    pub fn pack(&mut self) {
        self.response.pack();
        self.service.pack();
    }
}

impl RunResult {
    /// Answered requests per second, failures included.
    pub fn throughput(&self) -> f64 {
        (self.requests.succeeded + self.requests.failed) as f64 / self.duration_s.max(f64::MIN_POSITIVE)
    }

    /// Marks the run as not to be trusted.
    pub fn invalidate(&mut self, reason: impl Into<String>) {
        self.valid = false;
        self.invalid_reasons.push(reason.into());
    }
}

/// The search for the highest rate that keeps a service level.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct SustainResult {
    pub format: u32,
    /// The service level as asked: `p99<5ms,p99.9<10ms`.
    pub slo: String,
    pub objectives: Vec<Objective>,
    /// The highest rate that kept it, or none if even the lowest tried did not.
    pub sustainable_rate: Option<f64>,
    /// Lowest and highest outcome among the repeats of the last steps.
    pub spread: Option<(f64, f64)>,
    /// Every rate tried, in the order tried.
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
    /// The run was invalid or had too few samples for the percentile.
    Unknown,
}

/// A result file: `kind` in the JSON says which.
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
    #[error("{} is no result of metronome run or sustain: {source}", path.display())]
    Parse { path: PathBuf, source: serde_json::Error },
    #[error("{} has format {found}, this program reads up to {FORMAT}: use a newer metronome", path.display())]
    TooNew { path: PathBuf, found: u32 },
}

impl ResultFile {
    /// # Errors
    /// If the file cannot be opened, is not a result, or comes from a newer program.
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

    /// Writes beside the target first, so that a full disk leaves no half a file under its name.
    ///
    /// # Errors
    /// If the file cannot be written; nothing is left behind then.
    pub fn write(&self, path: &Path) -> Result<(), ResultError> {
        let error = |source| ResultError::Write { path: path.into(), source };
        let mut beside = path.as_os_str().to_owned();
        beside.push(".part");
        let beside = PathBuf::from(beside);
        let written = File::create(&beside).and_then(|file| {
            let mut out = BufWriter::new(file);
            serde_json::to_writer(&mut out, self)?;
            out.write_all(b"\n")?;
            out.into_inner()?.sync_all()?;
            std::fs::rename(&beside, path)
        });
        written.map_err(|source| {
            let _ = std::fs::remove_file(&beside);
            error(source)
        })
    }
}
