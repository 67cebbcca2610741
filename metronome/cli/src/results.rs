//! `metronome compare` and `metronome plot`.

use crate::args::{CompareArgs, ComparisonFormat, PlotArgs};
use crate::error::CliError;
use crate::{CommandResult, Status};
use report::{ResultFile, RunResult, Style};
use std::io::Write;
use std::path::PathBuf;

pub(crate) fn compare(args: &CompareArgs) -> CommandResult {
    let comparison = report::compare(&runs(&args.before)?, &runs(&args.after)?);
    let mut out = std::io::stdout();
    match args.output {
        ComparisonFormat::Text => report::print_comparison(&comparison, Style::of(&out), &mut out)?,
        ComparisonFormat::Json => {
            writeln!(out, "{}", serde_json::to_string(&comparison).map_err(std::io::Error::from)?)?
        }
    }
    Ok(Status::Success)
}

fn runs(paths: &[PathBuf]) -> Result<Vec<RunResult>, CliError> {
    let mut runs = Vec::new();
    for path in paths {
        match ResultFile::read(path)? {
            ResultFile::Run(run) => runs.push(*run),
            ResultFile::Sustain(_) => {
                let message = format!("{} is a result of sustain; compare needs results of run", path.display());
                return Err(CliError::Message(message));
            }
        }
    }
    Ok(runs)
}

pub(crate) fn plot(args: &PlotArgs) -> CommandResult {
    let mut results = Vec::new();
    for path in &args.results {
        let name = path.file_stem().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        results.push((name, ResultFile::read(path)?));
    }
    std::fs::write(&args.output, report::plot_html(&results)).map_err(CliError::file(&args.output))?;
    println!("{}", args.output.display());
    Ok(Status::Success)
}
