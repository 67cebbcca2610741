//! The command line.

use clap::{Args, Parser, Subcommand};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

/// Open-loop load for Cassandra: every request has its intended start, and every request is measured from it.
#[derive(Debug, Parser)]
#[command(name = "metronome", version, max_term_width = 110)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Offer load at a rate and measure every request
    #[command(after_long_help = RUN_EXAMPLES)]
    Run(Box<RunArgs>),
    /// Find the highest rate that keeps a service level
    #[command(after_long_help = SUSTAIN_EXAMPLES)]
    Sustain(Box<SustainArgs>),
    /// Compare results: ratio per percentile with confidence, or that it cannot tell
    Compare(CompareArgs),
    /// Draw results as one HTML page
    Plot(PlotArgs),
    /// Answer CQL and do nothing: the ceiling of a load generator
    #[command(after_long_help = NULL_SERVER_EXAMPLES)]
    NullServer(NullServerArgs),
    /// Read back every acknowledged write of a run: none lost, none older than acknowledged
    Verify(Box<VerifyArgs>),
    /// A light steady load that reports each second as a line of JSON, until it is stopped
    Probe(Box<ProbeArgs>),
}

const RUN_EXAMPLES: &str = "\
Examples:
  Google's workload: records of 170 bytes, 20,000 writes a second for a minute
    metronome run writes --rate 20000 --duration 60s --hosts 127.0.0.1

  Instagram's table with rows of 6 KB, half reads, created with three copies in each of two datacenters
    metronome run emp --read 50% --rate 5000 --consistency local_quorum --replication dc1:3,dc2:3

  Uber's fleet: every app sends its place every 30 s, so the rate follows from the fleet
    metronome run locations --drivers 100000 --riders 200000

  Your own tables and statements
    metronome run -f my-workload.yaml --rate 1000 --set customers=50000

  Independent users instead of a metronome; a ramp; steps; a recorded trace
    metronome run writes --rate 5000 --poisson
    metronome run writes --ramp 1000..50000 --duration 5m
    metronome run writes --steps 1000:30s,5000:30s,20000:30s
    metronome run writes --trace starts.csv

  What a blocking client with one request per connection would see, beside what its users wait for
    metronome run writes --rate 10000 --in-flight 1 --connections 16

  Two machines that start together; their interval logs add up exactly
    metronome run writes --rate 500000 --start-at 2026-11-20T12:00:00Z --hlog a.hlog

  Passwords come from a file or from METRONOME_PASSWORD, never from the command line
    metronome run writes --tls-ca ca.pem --user cassandra --password-file secret

The exit code is 0 for a valid run, 3 for one whose numbers must not be trusted, 1 if it could not be done.";

const SUSTAIN_EXAMPLES: &str = "\
Examples:
  metronome sustain emp --slo 'p99<5ms,p99.9<10ms'
  metronome sustain writes --slo 'p99<5ms' --from 1000 --step 30s -o sustain.json

Each rate is held long enough for the percentile asked; the search doubles the rate until the level is missed, then
halves the gap, then repeats the last rates. `metronome plot sustain.json -o page.html` draws every rate tried.";

const NULL_SERVER_EXAMPLES: &str = "\
Examples:
  metronome null-server --listen 127.0.0.1:9042
  metronome null-server --stall-after 5s --stall-for 1s     a server that stops for a second
  metronome null-server --max-rate 20000 --delay 500us      a server with a limit";

/// How to reach the cluster.
#[derive(Debug, Args, Clone)]
#[command(next_help_heading = "Cluster")]
pub(crate) struct ClusterArgs {
    /// Contact points: host or host:port, separated by commas
    #[arg(long, default_value = "127.0.0.1", value_delimiter = ',')]
    pub(crate) hosts: Vec<String>,
    /// Send only to this datacenter; default: that of the first contact point
    #[arg(long)]
    pub(crate) datacenter: Option<String>,
    /// User for password authentication
    #[arg(long)]
    pub(crate) user: Option<String>,
    /// File with the password; otherwise METRONOME_PASSWORD is used
    #[arg(long, requires = "user")]
    pub(crate) password_file: Option<PathBuf>,
    /// Use TLS and trust the certificates of this PEM file
    #[arg(long)]
    pub(crate) tls_ca: Option<PathBuf>,
    /// Client certificate (PEM), for servers that ask for one
    #[arg(long, requires = "tls_ca", requires = "tls_key")]
    pub(crate) tls_cert: Option<PathBuf>,
    /// Key of the client certificate (PEM)
    #[arg(long, requires = "tls_cert")]
    pub(crate) tls_key: Option<PathBuf>,
    /// Do not check that a server's certificate names its address
    #[arg(long, requires = "tls_ca")]
    pub(crate) tls_any_name: bool,
    /// Give up connecting after this long
    #[arg(long, default_value = "5s", value_parser = humantime::parse_duration)]
    pub(crate) connect_timeout: Duration,
}

/// What is sent.
#[derive(Debug, Args, Clone)]
#[command(next_help_heading = "Workload")]
pub(crate) struct WorkloadArgs {
    /// Built-in workload: writes, emp, locations or pulse
    #[arg(default_value = "writes", conflicts_with = "file")]
    pub(crate) workload: String,
    /// A workload of your own (YAML; docs/metronome.md describes it)
    #[arg(short, long)]
    pub(crate) file: Option<PathBuf>,
    /// Set a parameter of the workload
    #[arg(long = "set", value_name = "NAME=VALUE")]
    pub(crate) parameters: Vec<String>,
    /// Share of reads, for workloads with this parameter: 50%
    #[arg(long)]
    pub(crate) read: Option<String>,
    /// Rows, for workloads with this parameter
    #[arg(long)]
    pub(crate) rows: Option<u64>,
    /// Drivers of the locations workload
    #[arg(long)]
    pub(crate) drivers: Option<u64>,
    /// Riders of the locations workload
    #[arg(long)]
    pub(crate) riders: Option<u64>,
    /// Consistency level for every statement
    #[arg(long)]
    pub(crate) consistency: Option<workload::Consistency>,
    /// Keyspace instead of the workload's
    #[arg(long)]
    pub(crate) keyspace: Option<String>,
    /// Seed of every key and value
    #[arg(long)]
    pub(crate) seed: Option<u64>,
    /// Copies of the data when the keyspace is created: 3, or dc1:3,dc2:3
    #[arg(long, default_value = "1")]
    pub(crate) replication: workload::Replication,
    /// Do not create keyspace and tables
    #[arg(long)]
    pub(crate) no_schema: bool,
}

/// How it is sent.
#[derive(Debug, Args, Clone)]
#[command(next_help_heading = "Sending")]
pub(crate) struct SendArgs {
    /// Load threads; each owns its connections
    #[arg(long, default_value_t = 1)]
    pub(crate) threads: u32,
    /// Bind load threads to these CPUs
    #[arg(long, value_delimiter = ',', value_name = "CPU,...")]
    pub(crate) pin: Vec<usize>,
    /// Connections of each load thread to each host
    #[arg(long, default_value_t = 1)]
    pub(crate) connections: usize,
    /// Most requests in flight on a connection; 1 is a blocking client
    #[arg(long, default_value_t = 32_768, value_parser = clap::value_parser!(u32).range(1..=32_768))]
    pub(crate) in_flight: u32,
    /// A request without response counts as timed out after this long
    #[arg(long, default_value = "10s", value_parser = humantime::parse_duration)]
    pub(crate) timeout: Duration,
    /// The run is invalid if the generator itself falls further behind its schedule
    #[arg(long, default_value = "100ms", value_parser = humantime::parse_duration)]
    pub(crate) max_behind: Duration,
    /// Look at the schedule no more often than this, so that requests due together share system calls. Default: by the
    /// rate of each load thread, 20us up to 10,000/s, growing to 200us at 1,000,000/s
    #[arg(long, value_parser = humantime::parse_duration)]
    pub(crate) send_quantum: Option<Duration>,
    /// Native protocol version; default: 5, or 4 where the server does not know 5
    #[arg(long, value_parser = ["4", "5"])]
    pub(crate) protocol: Option<String>,
    /// Compress with LZ4
    #[arg(long)]
    pub(crate) lz4: bool,
}

/// When requests start.
#[derive(Debug, Args, Clone)]
#[command(next_help_heading = "Schedule")]
#[group(id = "shape", multiple = false)]
pub(crate) struct ScheduleArgs {
    /// Requests per second
    #[arg(long, group = "shape")]
    pub(crate) rate: Option<f64>,
    /// A rate that grows or falls evenly over the duration
    #[arg(long, group = "shape", value_name = "FROM..TO")]
    pub(crate) ramp: Option<String>,
    /// Rates one after another
    #[arg(long, group = "shape", value_name = "RATE:TIME,...", value_delimiter = ',')]
    pub(crate) steps: Vec<String>,
    /// Recorded starts, one per line in seconds
    #[arg(long, group = "shape", value_name = "FILE")]
    pub(crate) trace: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) workload: WorkloadArgs,
    #[command(flatten)]
    pub(crate) schedule: ScheduleArgs,
    /// How long to offer load
    #[arg(long, default_value = "60s", value_parser = humantime::parse_duration)]
    pub(crate) duration: Duration,
    /// Random arrivals of independent users at the same rate, instead of even spacing
    #[arg(long)]
    pub(crate) poisson: bool,
    /// Load before that, which is sent but not recorded
    #[arg(long, default_value = "0s", value_parser = humantime::parse_duration)]
    pub(crate) warmup: Duration,
    /// Wall-clock start, so that machines start together: 2026-11-20T12:00:00Z
    #[arg(long, value_parser = humantime::parse_rfc3339_weak)]
    pub(crate) start_at: Option<std::time::SystemTime>,
    /// Result file; acknowledged writes go beside it, for `metronome verify`
    #[arg(short, long, default_value = "metronome.json")]
    pub(crate) output: PathBuf,
    /// Also write a standard HdrHistogram interval log
    #[arg(long)]
    pub(crate) hlog: Option<PathBuf>,
    /// No progress lines
    #[arg(short, long)]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) send: SendArgs,
    #[command(flatten)]
    pub(crate) cluster: ClusterArgs,
}

#[derive(Debug, Args)]
pub(crate) struct SustainArgs {
    #[command(flatten)]
    pub(crate) workload: WorkloadArgs,
    /// Service level of response times: 'p99<5ms,p99.9<10ms'
    #[arg(long)]
    pub(crate) slo: String,
    /// First rate tried, in requests per second
    #[arg(long, default_value_t = 1_000.0)]
    pub(crate) from: f64,
    /// Highest rate tried
    #[arg(long, default_value_t = 10_000_000.0)]
    pub(crate) to: f64,
    /// Hold each rate for this long, or longer if the percentile needs more requests
    #[arg(long, default_value = "10s", value_parser = humantime::parse_duration)]
    pub(crate) step: Duration,
    /// Longest time for one rate; a rate at which that gives too few requests for the percentile is not judged
    #[arg(long, default_value = "120s", value_parser = humantime::parse_duration)]
    pub(crate) longest_step: Duration,
    /// Unrecorded load before each rate
    #[arg(long, default_value = "2s", value_parser = humantime::parse_duration)]
    pub(crate) warmup: Duration,
    /// Stop when the rates that kept and missed the level are this close
    #[arg(long, default_value_t = 0.05)]
    pub(crate) precision: f64,
    /// Repeats of the last rate
    #[arg(long, default_value_t = 2)]
    pub(crate) repeats: u32,
    /// Even spacing instead of independent users
    #[arg(long)]
    pub(crate) even: bool,
    /// Result file
    #[arg(short, long, default_value = "sustain.json")]
    pub(crate) output: PathBuf,
    #[command(flatten)]
    pub(crate) send: SendArgs,
    #[command(flatten)]
    pub(crate) cluster: ClusterArgs,
}

#[derive(Debug, Args)]
pub(crate) struct CompareArgs {
    /// Result before; several runs separated by commas
    #[arg(required = true, num_args = 1, value_delimiter = ',')]
    pub(crate) before: Vec<PathBuf>,
    /// Result after; several runs separated by commas
    #[arg(required = true, num_args = 1, value_delimiter = ',')]
    pub(crate) after: Vec<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct PlotArgs {
    /// Results of run or sustain
    #[arg(required = true)]
    pub(crate) results: Vec<PathBuf>,
    /// The page
    #[arg(short, long, default_value = "report.html")]
    pub(crate) output: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct NullServerArgs {
    /// Address to listen on
    #[arg(long, default_value = "127.0.0.1:9042")]
    pub(crate) listen: SocketAddr,
    /// Threads
    #[arg(long, default_value_t = 1)]
    pub(crate) threads: usize,
    /// Bind threads to these CPUs
    #[arg(long, value_delimiter = ',', value_name = "CPU,...")]
    pub(crate) pin: Vec<usize>,
    /// Every answer waits this long
    #[arg(long, default_value = "0s", value_parser = humantime::parse_duration)]
    pub(crate) delay: Duration,
    /// Answers per second at most; 0: no limit
    #[arg(long, default_value_t = 0.0)]
    pub(crate) max_rate: f64,
    /// Stand still this long after the first request
    #[arg(long, requires = "stall_for", value_parser = humantime::parse_duration)]
    pub(crate) stall_after: Option<Duration>,
    /// Stand still for this long
    #[arg(long, requires = "stall_after", value_parser = humantime::parse_duration)]
    pub(crate) stall_for: Option<Duration>,
}

#[derive(Debug, Args)]
pub(crate) struct VerifyArgs {
    /// Result of the run; the file of its acknowledged writes lies beside it
    #[arg(default_value = "metronome.json")]
    pub(crate) result: PathBuf,
    /// Consistency level of the reads
    #[arg(long, default_value = "ALL")]
    pub(crate) read_consistency: workload::Consistency,
    /// Reads in flight
    #[arg(long, default_value_t = 256)]
    pub(crate) concurrency: usize,
    #[command(flatten)]
    pub(crate) cluster: ClusterArgs,
}

#[derive(Debug, Args)]
pub(crate) struct ProbeArgs {
    #[command(flatten)]
    pub(crate) workload: WorkloadArgs,
    /// Requests per second
    #[arg(long, default_value_t = 50.0)]
    pub(crate) rate: f64,
    /// How long; default: until it is stopped by SIGINT or SIGTERM
    #[arg(long, value_parser = humantime::parse_duration)]
    pub(crate) duration: Option<Duration>,
    /// Read names of periods from standard input, one a line, and tell each period's percentiles when it ends; the end of
    /// the input ends the probe
    #[arg(long)]
    pub(crate) periods: bool,
    /// Send to another host, within its timeout, what was in flight on a connection that broke or was turned away by a server
    /// that goes down: as drivers do with what is idempotent
    #[arg(long)]
    pub(crate) send_again: bool,
    #[command(flatten)]
    pub(crate) send: SendArgs,
    #[command(flatten)]
    pub(crate) cluster: ClusterArgs,
}
