//! The cluster of a command: connected, with the workload's tables, ready to be sent to.

use crate::args::{SendArgs, WorkloadArgs};
use crate::fail::Fail;
use crate::outcome::describe;
use crate::plan::Loaded;
use crate::requests::WorkloadRequests;
use discovery::{Cluster, ClusterOptions};
use engine::{Config, Interval, Outcome, Stop, TopologyCell};
use report::RunResult;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What runs against one cluster share.
pub(crate) struct Target {
    cluster: Cluster,
    keyspace: String,
    pub(crate) topology: Arc<TopologyCell>,
    pub(crate) requests: Arc<WorkloadRequests>,
    pub(crate) options: ClusterOptions,
}

impl Target {
    /// Connects, and creates keyspace and tables unless told not to.
    pub(crate) fn open(args: &WorkloadArgs, options: ClusterOptions, loaded: &Loaded) -> Result<Self, Fail> {
        let cluster = Cluster::connect(&options)?;
        if !args.no_schema {
            cluster.apply_schema(&loaded.workload.schema(&args.replication))?;
        }
        let keyspace = loaded.workload.keyspace().to_owned();
        let topology = Arc::new(TopologyCell::new(cluster.topology(&keyspace, &[])?));
        let requests = Arc::new(WorkloadRequests::new(loaded.workload.clone()));
        Ok(Self { cluster, keyspace, topology, requests, options })
    }

    /// One run; the topology is followed while it lasts.
    pub(crate) fn run(&self, config: Config, stop: &Stop, on_interval: impl FnMut(&Interval)) -> Result<Outcome, Fail> {
        let watch = |now: &engine::Topology| {
            let seen = self.cluster.topology(&self.keyspace, &now.hosts).ok()?;
            (seen != *now).then_some(seen)
        };
        Ok(engine::run(config, &self.requests, &self.topology, stop, watch, on_interval)?)
    }

    /// The parts of a result that do not come from the run itself.
    pub(crate) fn describe(&self, loaded: &Loaded, send: &SendArgs) -> RunResult {
        let hosts = self.topology.get().hosts.iter().map(|h| h.address.to_string()).collect();
        describe(loaded, send, &self.options, hosts, self.cluster.local_datacenter())
    }
}

/// A signal so soon after the first is the same wish: timeout(1) sends its own to the process and to its group.
const SAME_WISH: Duration = Duration::from_secs(1);

/// A stop that SIGINT and SIGTERM give.
pub(crate) fn stop_on_signals() -> Result<Stop, Fail> {
    let stop = Stop::default();
    let given = stop.clone();
    let signals = [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM];
    let mut caught = signal_hook::iterator::Signals::new(signals)?;
    std::thread::Builder::new().name("metronome-signals".into()).spawn(move || {
        let mut asked: Option<Instant> = None;
        for _ in caught.forever() {
            if asked.is_some_and(|at| at.elapsed() > SAME_WISH) {
                // Asked twice: do not wait for requests in flight.
                std::process::exit(130);
            }
            asked.get_or_insert_with(Instant::now);
            given.stop();
        }
    })?;
    Ok(stop)
}
