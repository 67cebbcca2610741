//! The connected cluster of a command, with the workload's tables.

use crate::args::{SendArgs, WorkloadArgs};
use crate::error::CliError;
use crate::outcome::describe;
use crate::plan::Loaded;
use crate::requests::WorkloadRequests;
use discovery::{Cluster, ClusterOptions};
use engine::{Config, Interval, Outcome, Stop, TopologyCell};
use report::RunResult;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A cluster and a workload, shared by the runs of a command.
pub(crate) struct Target {
    cluster: Cluster,
    keyspace: String,
    pub(crate) topology: Arc<TopologyCell>,
    pub(crate) requests: Arc<WorkloadRequests>,
    pub(crate) options: ClusterOptions,
}

impl Target {
    /// Connects, and creates keyspace and tables unless `--no-schema` is given.
    pub(crate) fn open(args: &WorkloadArgs, options: ClusterOptions, loaded: &Loaded) -> Result<Self, CliError> {
        let cluster = Cluster::connect(&options)?;
        if !args.no_schema {
            cluster.apply_schema(&loaded.workload.schema(&args.replication))?;
        }
        let keyspace = loaded.workload.keyspace().to_owned();
        let topology = Arc::new(TopologyCell::new(cluster.topology(&keyspace, &[])?));
        let requests = Arc::new(WorkloadRequests::new(loaded.workload.clone()));
        Ok(Self { cluster, keyspace, topology, requests, options })
    }

    /// Runs once; keeps the topology up to date meanwhile.
    pub(crate) fn run(
        &self,
        config: Config,
        stop: &Stop,
        on_interval: impl FnMut(&Interval),
    ) -> Result<Outcome, CliError> {
        let watch = |now: &engine::Topology| {
            let seen = self.cluster.topology(&self.keyspace, &now.hosts).ok()?;
            (seen != *now).then_some(seen)
        };
        Ok(engine::run(config, &self.requests, &self.topology, stop, watch, on_interval)?)
    }

    /// Returns the parts of a result that are known before the run.
    pub(crate) fn describe(&self, loaded: &Loaded, send: &SendArgs) -> RunResult {
        let hosts = self.topology.get().hosts.iter().map(|h| h.address.to_string()).collect();
        describe(loaded, send, &self.options, hosts, self.cluster.local_datacenter())
    }
}

/// Signals within this time of the first count as one: timeout(1) signals both the process and its group.
const SAME_SIGNAL: Duration = Duration::from_secs(1);

/// Returns a stop that SIGINT and SIGTERM trigger.
pub(crate) fn stop_on_signals() -> Result<Stop, CliError> {
    let stop = Stop::default();
    let on_signal = stop.clone();
    let signals = [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM];
    let mut caught = signal_hook::iterator::Signals::new(signals)?;
    std::thread::Builder::new().name("metronome-signals".into()).spawn(move || {
        let mut first: Option<Instant> = None;
        for _ in caught.forever() {
            if first.is_some_and(|at| at.elapsed() > SAME_SIGNAL) {
                // A second signal: exit without waiting for requests in flight.
                std::process::exit(130);
            }
            first.get_or_insert_with(Instant::now);
            on_signal.stop();
        }
    })?;
    Ok(stop)
}
