//! `metronome null-server`.

use crate::args::NullServerArgs;
use crate::cluster::stop_on_signals;
use crate::error::CliError;
use crate::{CommandResult, Status};
use null_server::{NullServer, NullServerConfig, Stall, Throttle};
use std::time::Duration;

pub(crate) fn serve(args: &NullServerArgs) -> CommandResult {
    let stop = stop_on_signals()?;
    let stall = args.stall_after.zip(args.stall_for).map(|(after, length)| Stall { after, length });
    let config = NullServerConfig {
        listen: args.listen,
        threads: args.threads,
        pin: args.pin.clone(),
        max_version: cql::Version::V5,
        throttle: Throttle { delay: args.delay, max_rate: args.max_rate, stall },
        turns_away: None,
    };
    let server = NullServer::start(&config).map_err(|e| {
        CliError::Message(format!("cannot listen on {}: {e}; give another address with --listen", args.listen))
    })?;
    println!("listening on {}", server.address());
    while !stop.is_stopped() {
        std::thread::sleep(Duration::from_millis(50));
    }
    let (executed, cpu_s) = (server.executed(), machine::cpu_ns() as f64 / 1e9);
    println!("{executed} requests, {cpu_s:.2} CPU-s, {:.3} CPU-s per million", cpu_s * 1e6 / executed.max(1) as f64);
    Ok(Status::Success)
}
