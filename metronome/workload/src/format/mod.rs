//! The YAML of a workload; `build` compiles it. Unknown fields are errors everywhere.

mod generate;
mod scalar;
mod statement;
mod table;

use indexmap::IndexMap;
use serde::Deserialize;

pub(crate) use generate::{
    AreaYaml, ElementsYaml, GaussianYaml, GenerateYaml, SequenceYaml, SizeYaml, SizedYaml, TimeYaml, ZipfYaml,
};
pub(crate) use scalar::{ShortOrFull, Span, Weight};
pub(crate) use statement::{BatchKind, By, PickYaml, StatementYaml};
pub(crate) use table::{ColumnYaml, OneOrMany, TableYaml};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WorkloadYaml {
    pub name: String,
    #[serde(default)]
    pub about: String,
    #[serde(default, rename = "parameters")]
    _parameters: IndexMap<String, String>,
    #[serde(default)]
    pub keyspace: Option<String>,
    #[serde(default)]
    pub seed: u64,
    /// User-defined types: each field with its type.
    #[serde(default)]
    pub types: IndexMap<String, IndexMap<String, String>>,
    pub tables: IndexMap<String, TableYaml>,
    pub statements: IndexMap<String, StatementYaml>,
    #[serde(default)]
    pub rate: Option<RateYaml>,
}

/// The rate of a fleet of senders: every partition of `tables` is written once in each period `every`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RateYaml {
    pub every: Span,
    pub tables: Vec<String>,
}

fn one() -> f64 {
    1.0
}
