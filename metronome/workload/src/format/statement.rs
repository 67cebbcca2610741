//! YAML of statements.

use indexmap::IndexMap;
use serde::Deserialize;

use super::one;
use super::scalar::{ShortOrFull, Span, Weight};
use super::table::ColumnYaml;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StatementYaml {
    #[serde(default)]
    pub insert: Option<String>,
    #[serde(default)]
    pub update: Option<String>,
    #[serde(default)]
    pub select: Option<String>,
    #[serde(default)]
    pub delete: Option<String>,
    /// The user's own CQL: `{table}` stands for the table, `:name` for a bound column.
    #[serde(default)]
    pub cql: Option<String>,
    /// The table of `cql`.
    #[serde(default)]
    pub table: Option<String>,
    /// Values that `:name` binds and that are not columns of the table.
    #[serde(default)]
    pub bind: IndexMap<String, ShortOrFull<ColumnYaml>>,
    #[serde(default)]
    pub columns: Vec<String>,
    #[serde(default)]
    pub by: By,
    #[serde(default)]
    pub limit: Option<u32>,
    #[serde(default)]
    pub page_size: Option<u32>,
    #[serde(default)]
    pub weight: Weight,
    #[serde(default)]
    pub pick: PickYaml,
    #[serde(default)]
    pub consistency: Option<String>,
    #[serde(default)]
    pub serial_consistency: Option<String>,
    #[serde(default)]
    pub ttl: Option<Span>,
    /// `not exists`, `exists` or conditions such as `emp_dept = :emp_dept`, for a lightweight transaction.
    #[serde(default, rename = "if")]
    pub condition: Option<String>,
    #[serde(default)]
    pub batch: Option<BatchYaml>,
}

#[derive(Deserialize, Clone, Copy, Default, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub(crate) enum By {
    #[default]
    Row,
    Partition,
}

#[derive(Deserialize, Clone, Copy)]
#[serde(deny_unknown_fields)]
pub(crate) struct BatchYaml {
    pub rows: u32,
    #[serde(default)]
    pub kind: BatchKind,
    /// Whether all rows are of one partition (`partition`) or each of another one (`row`).
    #[serde(default = "by_partition")]
    pub within: By,
}

#[derive(Deserialize, Clone, Copy, Default, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub(crate) enum BatchKind {
    #[default]
    Unlogged,
    Logged,
}

#[derive(Deserialize, Clone, Default)]
#[serde(rename_all = "snake_case")]
pub(crate) enum PickYaml {
    Sequence,
    #[default]
    Uniform,
    Written,
    Latest,
    Zipf(PickZipfYaml),
    Gaussian(PickGaussianYaml),
}

#[derive(Deserialize, Clone)]
#[serde(deny_unknown_fields)]
pub(crate) struct PickZipfYaml {
    #[serde(default = "one")]
    pub exponent: f64,
}

/// Mean and standard deviation as fractions of the rows: `mean: 0.5, stddev: 0.1`.
#[derive(Deserialize, Clone)]
#[serde(deny_unknown_fields)]
pub(crate) struct PickGaussianYaml {
    pub mean: f64,
    pub stddev: f64,
}

fn by_partition() -> By {
    By::Partition
}
