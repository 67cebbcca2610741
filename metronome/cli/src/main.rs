//! `metronome`: an open-loop CQL load generator that is both honest and fast.

mod acks_file;
mod args;
mod cluster;
mod fail;
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
use fail::Fail;
use std::process::ExitCode;
use std::sync::Arc;

/// The run ended, but its numbers must not be trusted.
const EXIT_INVALID: u8 = 3;
/// `verify` found a lost or stale write.
const EXIT_LOST: u8 = 4;

fn main() -> ExitCode {
    // A file that may not grow any more is an error to report, like a full disk, not the end of the run.
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
        Ok(Done::Well) => ExitCode::SUCCESS,
        Ok(Done::Invalid) => ExitCode::from(EXIT_INVALID),
        Ok(Done::Lost) => ExitCode::from(EXIT_LOST),
        Err(fail) => {
            eprintln!("metronome: {fail}");
            ExitCode::FAILURE
        }
    }
}

/// How a command that did its work ended.
enum Done {
    Well,
    Invalid,
    Lost,
}

type Ended = Result<Done, Fail>;
