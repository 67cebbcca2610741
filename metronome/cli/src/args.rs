//! The command line.

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

/// Open-loop load generator for Cassandra: a schedule fixes the start of every request, and response time counts from
/// that intended start
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
    /// Compare results: for each percentile the ratio with a 95% interval, and whether it is faster or slower
    Compare(CompareArgs),
    /// Draw results as an HTML page
    Plot(PlotArgs),
    /// Answer CQL and store nothing, to measure load generators
    #[command(after_long_help = NULL_SERVER_EXAMPLES)]
    NullServer(NullServerArgs),
    /// Read back every acknowledged write of a run, and report lost, older or wrong rows
    Verify(Box<VerifyArgs>),
    /// Send a light, steady load and report each second as a line of JSON
    Probe(Box<ProbeArgs>),
}

const RUN_EXAMPLES: &str = "\
Examples:
  Records of 170 bytes, 20,000 writes a second for a minute (Google 2014)
    metronome run writes --rate 20000 --duration 60s --hosts 127.0.0.1

  Rows of 6 KB, half reads, three replicas in each of two datacenters (Instagram 2018)
    metronome run emp --read 50% --rate 5000 --consistency local_quorum --replication dc1:3,dc2:3

  Every app sends its position every 30 s, so the rate follows from the fleet (Uber 2016)
    metronome run locations --drivers 100000 --riders 200000

  Your own tables and statements
    metronome run -f my-workload.yaml --rate 1000 --set customers=50000

  Random arrivals instead of even spacing; a ramp; steps; a recorded trace
    metronome run writes --rate 5000 --poisson
    metronome run writes --ramp 1000..50000 --duration 5m
    metronome run writes --steps 1000:30s,5000:30s,20000:30s
    metronome run writes --trace starts.csv

  A blocking client: one request at a time on each of 16 connections
    metronome run writes --rate 10000 --in-flight 1 --connections 16

  One of several machines that start together; the sum of their interval logs is exact
    metronome run writes --rate 500000 --start-at 2026-11-20T12:00:00Z --hlog a.hlog

  The password comes from a file or from METRONOME_PASSWORD, never from the command line
    metronome run writes --tls-ca ca.pem --user cassandra --password-file secret

Exit codes: 0 valid run, 1 error, 3 run whose numbers must not be trusted.";

const SUSTAIN_EXAMPLES: &str = "\
Examples:
  metronome sustain emp --slo 'p99<5ms,p99.9<10ms'
  metronome sustain writes --slo 'p99<5ms' --from 1000 --step 30s -o sustain.json

The search holds each rate long enough for the highest percentile. It doubles the rate until the service level is
missed, then narrows the gap, then repeats the last rates.
`metronome plot sustain.json -o page.html` draws every rate.";

const NULL_SERVER_EXAMPLES: &str = "\
Examples:
  metronome null-server --listen 127.0.0.1:9042
  metronome null-server --stall-after 5s --stall-for 1s     a server that stalls for a second
  metronome null-server --max-rate 20000 --delay 500us      a slow server with a rate limit";

/// Options of the connection to the cluster.
#[derive(Debug, Args, Clone)]
#[command(next_help_heading = "Cluster")]
pub(crate) struct ClusterArgs {
    /// Contact points: host or host:port, separated by commas
    #[arg(long, default_value = "127.0.0.1", value_delimiter = ',')]
    pub(crate) hosts: Vec<String>,
    /// Datacenter to send to; default: that of the first contact point
    #[arg(long)]
    pub(crate) datacenter: Option<String>,
    /// User for password authentication
    #[arg(long)]
    pub(crate) user: Option<String>,
    /// File with the password; default: the variable METRONOME_PASSWORD
    #[arg(long, requires = "user")]
    pub(crate) password_file: Option<PathBuf>,
    /// Use TLS and trust the certificate authorities of this PEM file
    #[arg(long)]
    pub(crate) tls_ca: Option<PathBuf>,
    /// Client certificate (PEM), for servers that require one
    #[arg(long, requires = "tls_ca", requires = "tls_key")]
    pub(crate) tls_cert: Option<PathBuf>,
    /// Private key of the client certificate (PEM)
    #[arg(long, requires = "tls_cert")]
    pub(crate) tls_key: Option<PathBuf>,
    /// Accept server certificates that do not name the server's address
    #[arg(long, requires = "tls_ca")]
    pub(crate) tls_any_name: bool,
    /// Timeout of connecting
    #[arg(long, default_value = "5s", value_parser = humantime::parse_duration)]
    pub(crate) connect_timeout: Duration,
}

/// Options of the workload.
#[derive(Debug, Args, Clone)]
#[command(next_help_heading = "Workload")]
pub(crate) struct WorkloadArgs {
    /// Built-in workload: writes, emp, locations or pulse
    #[arg(default_value = "writes", conflicts_with = "file")]
    pub(crate) workload: String,
    /// Workload file (YAML; format: docs/metronome-workloads.md)
    #[arg(short, long)]
    pub(crate) file: Option<PathBuf>,
    /// Value of a parameter of the workload
    #[arg(long = "set", value_name = "NAME=VALUE")]
    pub(crate) parameters: Vec<String>,
    /// Share of reads, for workloads with the parameter `read`: 50%
    #[arg(long)]
    pub(crate) read: Option<String>,
    /// Number of rows, for workloads with the parameter `rows`
    #[arg(long)]
    pub(crate) rows: Option<u64>,
    /// Number of drivers of the workload `locations`
    #[arg(long)]
    pub(crate) drivers: Option<u64>,
    /// Number of riders of the workload `locations`
    #[arg(long)]
    pub(crate) riders: Option<u64>,
    /// Consistency level of every statement
    #[arg(long)]
    pub(crate) consistency: Option<workload::Consistency>,
    /// Keyspace; default: that of the workload
    #[arg(long)]
    pub(crate) keyspace: Option<String>,
    /// Seed of keys and values
    #[arg(long)]
    pub(crate) seed: Option<u64>,
    /// Replication factors of a created keyspace: 3, or dc1:3,dc2:3
    #[arg(long, default_value = "1")]
    pub(crate) replication: workload::Replication,
    /// Do not create keyspace, types and tables
    #[arg(long)]
    pub(crate) no_schema: bool,
}

/// Options of sending.
#[derive(Debug, Args, Clone)]
#[command(next_help_heading = "Sending")]
pub(crate) struct SendArgs {
    /// Number of load threads; each has its own connections
    #[arg(long, default_value_t = 1)]
    pub(crate) threads: u32,
    /// CPUs to bind the load threads to
    #[arg(long, value_delimiter = ',', value_name = "CPU,...")]
    pub(crate) pin: Vec<usize>,
    /// Number of connections of each load thread to each host
    #[arg(long, default_value_t = 1)]
    pub(crate) connections: usize,
    /// Maximum number of requests in flight on a connection; 1 models a blocking client
    #[arg(long, default_value_t = 32_768, value_parser = clap::value_parser!(u32).range(1..=32_768))]
    pub(crate) in_flight: u32,
    /// Time after which a request without response fails as timed out
    #[arg(long, default_value = "10s", value_parser = humantime::parse_duration)]
    pub(crate) timeout: Duration,
    /// Maximum delay behind the schedule that the generator itself may cause; beyond it the run is invalid
    #[arg(long, default_value = "100ms", value_parser = humantime::parse_duration)]
    pub(crate) max_behind: Duration,
    /// Retry on another host, within the request timeout, requests on lost connections and requests that a server
    /// turned away as overloaded, bootstrapping or unavailable, as drivers do with idempotent statements
    #[arg(long)]
    pub(crate) send_again: bool,
    /// Minimum time between two sends of a load thread, so that requests due together share system calls; default: by
    /// the rate of the thread, from 20us up to 10,000/s to 200us from 1,000,000/s
    #[arg(long, value_parser = humantime::parse_duration)]
    pub(crate) send_quantum: Option<Duration>,
    /// Native protocol version; default: 5, or 4 if the server does not support 5
    #[arg(long, value_parser = ["4", "5"])]
    pub(crate) protocol: Option<String>,
    /// Compress with LZ4
    #[arg(long)]
    pub(crate) lz4: bool,
}

/// Options of the schedule.
#[derive(Debug, Args, Clone)]
#[command(next_help_heading = "Schedule")]
#[group(id = "shape", multiple = false)]
pub(crate) struct ScheduleArgs {
    /// Requests per second
    #[arg(long, group = "shape")]
    pub(crate) rate: Option<f64>,
    /// Rate that changes linearly over the duration
    #[arg(long, group = "shape", value_name = "FROM..TO")]
    pub(crate) ramp: Option<String>,
    /// Consecutive rates, each with its duration
    #[arg(long, group = "shape", value_name = "RATE:TIME,...", value_delimiter = ',')]
    pub(crate) steps: Vec<String>,
    /// File with recorded starts, one per line, in seconds
    #[arg(long, group = "shape", value_name = "FILE")]
    pub(crate) trace: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) workload: WorkloadArgs,
    #[command(flatten)]
    pub(crate) schedule: ScheduleArgs,
    /// Duration of the load
    #[arg(long, default_value = "60s", value_parser = humantime::parse_duration)]
    pub(crate) duration: Duration,
    /// Random (Poisson) arrivals of independent users at the same rate; default: even spacing
    #[arg(long)]
    pub(crate) poisson: bool,
    /// Duration of unrecorded load before that
    #[arg(long, default_value = "0s", value_parser = humantime::parse_duration)]
    pub(crate) warmup: Duration,
    /// Wall-clock start, for several machines that start together: 2026-11-20T12:00:00Z
    #[arg(long, value_parser = humantime::parse_rfc3339_weak)]
    pub(crate) start_at: Option<std::time::SystemTime>,
    /// Result file; the acknowledged writes, for `metronome verify`, go to the same name with .acks
    #[arg(short, long, default_value = "metronome.json")]
    pub(crate) output: PathBuf,
    /// HdrHistogram interval log to write
    #[arg(long)]
    pub(crate) hlog: Option<PathBuf>,
    /// Print no progress lines
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
    /// First rate to try, in requests per second
    #[arg(long, default_value_t = 1_000.0)]
    pub(crate) from: f64,
    /// Highest rate to try
    #[arg(long, default_value_t = 10_000_000.0)]
    pub(crate) to: f64,
    /// Minimum duration of each rate; longer if the percentile needs more requests
    #[arg(long, default_value = "10s", value_parser = humantime::parse_duration)]
    pub(crate) step: Duration,
    /// Maximum duration of each rate; a rate that gives too few requests in this time gets no verdict
    #[arg(long, default_value = "120s", value_parser = humantime::parse_duration)]
    pub(crate) longest_step: Duration,
    /// Duration of unrecorded load before each rate
    #[arg(long, default_value = "2s", value_parser = humantime::parse_duration)]
    pub(crate) warmup: Duration,
    /// Precision of the search: the relative gap between a rate that keeps the level and one that misses it
    #[arg(long, default_value_t = 0.05)]
    pub(crate) precision: f64,
    /// Number of repeats of the last rates
    #[arg(long, default_value_t = 2)]
    pub(crate) repeats: u32,
    /// Even spacing; default: random (Poisson) arrivals
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
    /// Results before; several runs separated by commas
    #[arg(required = true, num_args = 1, value_delimiter = ',')]
    pub(crate) before: Vec<PathBuf>,
    /// Results after; several runs separated by commas
    #[arg(required = true, num_args = 1, value_delimiter = ',')]
    pub(crate) after: Vec<PathBuf>,
    /// Format of the comparison
    #[arg(short, long, value_enum, default_value = "text")]
    pub(crate) output: ComparisonFormat,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum ComparisonFormat {
    Text,
    Json,
}

#[derive(Debug, Args)]
pub(crate) struct PlotArgs {
    /// Results of run or sustain
    #[arg(required = true)]
    pub(crate) results: Vec<PathBuf>,
    /// HTML file to write
    #[arg(short, long, default_value = "report.html")]
    pub(crate) output: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct NullServerArgs {
    /// Address to listen on
    #[arg(long, default_value = "127.0.0.1:9042")]
    pub(crate) listen: SocketAddr,
    /// Number of threads
    #[arg(long, default_value_t = 1)]
    pub(crate) threads: usize,
    /// CPUs to bind the threads to
    #[arg(long, value_delimiter = ',', value_name = "CPU,...")]
    pub(crate) pin: Vec<usize>,
    /// Delay of every answer
    #[arg(long, default_value = "0s", value_parser = humantime::parse_duration)]
    pub(crate) delay: Duration,
    /// Maximum number of answers per second; 0: no limit
    #[arg(long, default_value_t = 0.0)]
    pub(crate) max_rate: f64,
    /// Time from the first request to a stall of the whole server
    #[arg(long, requires = "stall_for", value_parser = humantime::parse_duration)]
    pub(crate) stall_after: Option<Duration>,
    /// Duration of the stall
    #[arg(long, requires = "stall_after", value_parser = humantime::parse_duration)]
    pub(crate) stall_for: Option<Duration>,
}

#[derive(Debug, Args)]
pub(crate) struct VerifyArgs {
    /// Result of the run, with its .acks file in the same directory
    #[arg(default_value = "metronome.json")]
    pub(crate) result: PathBuf,
    /// Consistency level of the reads
    #[arg(long, default_value = "ALL")]
    pub(crate) read_consistency: workload::Consistency,
    /// Number of reads in flight
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
    /// Duration; default: until SIGINT or SIGTERM
    #[arg(long, value_parser = humantime::parse_duration)]
    pub(crate) duration: Option<Duration>,
    /// Read names of periods from standard input, one per line, and print each period's percentiles when it ends; the
    /// end of the input ends the probe
    #[arg(long)]
    pub(crate) periods: bool,
    #[command(flatten)]
    pub(crate) send: SendArgs,
    #[command(flatten)]
    pub(crate) cluster: ClusterArgs,
}
