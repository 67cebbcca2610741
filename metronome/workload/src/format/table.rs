//! YAML of tables.

use std::str::FromStr;

use indexmap::IndexMap;
use serde::Deserialize;

use super::generate::GenerateYaml;
use super::scalar::{ShortOrFull, Span};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TableYaml {
    pub columns: IndexMap<String, ShortOrFull<ColumnYaml>>,
    /// `[a, b]`: partition key `a`, clustering column `b`; `[[a, b], c]`: partition key of two columns.
    pub primary_key: Vec<OneOrMany>,
    pub partitions: u64,
    /// Number of rows in each partition.
    #[serde(default)]
    pub clustering_rows: Option<u64>,
    /// Without clustering columns: the number of different values that each row takes before they repeat.
    #[serde(default)]
    pub versions: Option<u64>,
    #[serde(default)]
    pub ttl: Option<Span>,
    /// Further CQL after `WITH`.
    #[serde(default)]
    pub with: Option<String>,
}

#[derive(Deserialize, Clone)]
#[serde(deny_unknown_fields)]
pub(crate) struct ColumnYaml {
    #[serde(rename = "type")]
    pub cql_type: String,
    #[serde(default)]
    pub generate: Option<GenerateYaml>,
    #[serde(default, rename = "static")]
    pub is_static: bool,
}

impl FromStr for ColumnYaml {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Ok(Self { cql_type: text.to_string(), generate: None, is_static: false })
    }
}

#[derive(Deserialize)]
#[serde(untagged)]
pub(crate) enum OneOrMany {
    One(String),
    Many(Vec<String>),
}
