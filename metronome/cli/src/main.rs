//! `metronome`: an open-loop CQL load generator.

mod acks_file;
mod args;
mod cluster;
mod error;
mod outcome;
mod plan;
mod probe;
mod requests;
mod results;
mod run;
mod server;
mod sustain;
mod tls;
mod verify;

use args::{Cli, Command};
use clap::Parser;
use error::CliError;
use std::process::ExitCode;
use std::sync::Arc;

/// Exit code of a run whose numbers must not be trusted.
const EXIT_INVALID: u8 = 3;
/// Exit code of `verify` with a lost, stale or wrong row.
const EXIT_LOST: u8 = 4;

fn main() -> ExitCode {
    // With a handler for SIGXFSZ a file at its size limit is an error to report, like a full disk; without one the
    // signal kills the process.
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
    let done = match Cli::parse().command {
        Command::Run(args) => run::run(&args),
        Command::Sustain(args) => sustain::sustain(&args),
        Command::Compare(args) => results::compare(&args),
        Command::Plot(args) => results::plot(&args),
        Command::NullServer(args) => server::serve(&args),
        Command::Verify(args) => verify::verify(&args),
        Command::Probe(args) => probe::probe(&args),
    };
    match done {
        Ok(Status::Success) => ExitCode::SUCCESS,
        Ok(Status::Invalid) => ExitCode::from(EXIT_INVALID),
        Ok(Status::Lost) => ExitCode::from(EXIT_LOST),
        Err(error) => {
            eprintln!("metronome: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Outcome of a command without error.
enum Status {
    Success,
    Invalid,
    Lost,
}

type CommandResult = Result<Status, CliError>;
