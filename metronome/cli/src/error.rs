//! Errors of commands.

use std::path::PathBuf;

#[derive(Debug, thiserror::Error)]
pub(crate) enum CliError {
    #[error(transparent)]
    Workload(#[from] workload::WorkloadError),
    #[error(transparent)]
    Cluster(#[from] discovery::ClusterError),
    #[error(transparent)]
    Run(#[from] engine::RunError),
    #[error(transparent)]
    Result(#[from] report::ResultError),
    #[error(transparent)]
    Profile(#[from] schedule::ProfileError),
    #[error(transparent)]
    Trace(#[from] schedule::TraceError),
    #[error("{}: {source}", path.display())]
    File { path: PathBuf, source: std::io::Error },
    #[error("{0}")]
    Message(String),
    #[error("cannot write the output: {0}")]
    Output(#[from] std::io::Error),
}

impl CliError {
    pub(crate) fn file(path: &std::path::Path) -> impl FnOnce(std::io::Error) -> CliError {
        let path = path.to_owned();
        |source| CliError::File { path, source }
    }
}
