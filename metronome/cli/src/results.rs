//! `metronome compare` and `metronome plot`.

use crate::args::{CompareArgs, PlotArgs};
use crate::fail::Fail;
use crate::{Done, Ended};
use report::{ResultFile, RunResult, Style};
use std::path::PathBuf;

pub(crate) fn compare(args: &CompareArgs) -> Ended {
    let comparison = report::compare(&runs(&args.before)?, &runs(&args.after)?);
    report::print_comparison(&comparison, Style::of(&std::io::stdout()), &mut std::io::stdout())?;
    Ok(Done::Well)
}

fn runs(paths: &[PathBuf]) -> Result<Vec<RunResult>, Fail> {
    let mut runs = Vec::new();
    for path in paths {
        match ResultFile::read(path)? {
            ResultFile::Run(run) => runs.push(*run),
            ResultFile::Sustain(_) => {
                let message = format!("{} is a result of sustain: compare takes results of run", path.display());
                return Err(Fail::Usage(message));
            }
        }
    }
    Ok(runs)
}

pub(crate) fn plot(args: &PlotArgs) -> Ended {
    let mut results = Vec::new();
    for path in &args.results {
        let name = path.file_stem().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        results.push((name, ResultFile::read(path)?));
    }
    std::fs::write(&args.output, report::plot_html(&results)).map_err(Fail::file(&args.output))?;
    println!("{}", args.output.display());
    Ok(Done::Well)
}
