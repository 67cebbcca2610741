//! What the user is told when a command cannot do its work.

use std::path::PathBuf;

#[derive(Debug, thiserror::Error)]
pub(crate) enum Fail {
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
    Usage(String),
    #[error("cannot write to the terminal: {0}")]
    Output(#[from] std::io::Error),
}

impl Fail {
    pub(crate) fn file(path: &std::path::Path) -> impl FnOnce(std::io::Error) -> Fail {
        let path = path.to_owned();
        |source| Fail::File { path, source }
    }
}
