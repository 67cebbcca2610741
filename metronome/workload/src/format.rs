//! The YAML as written; `compile` turns it into something that runs. Unknown fields are errors everywhere.

use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;
use std::time::Duration;

use indexmap::IndexMap;
use serde::Deserialize;
use serde::de::{self, Deserializer, MapAccess, Visitor, value::MapAccessDeserializer};

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
    pub tables: IndexMap<String, TableYaml>,
    pub statements: IndexMap<String, StatementYaml>,
    #[serde(default)]
    pub rate: Option<RateYaml>,
}

/// The rate that a fleet of senders makes: every partition of `tables` is written once in each `every`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RateYaml {
    pub every: Span,
    pub tables: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TableYaml {
    pub columns: IndexMap<String, ShortOrFull<ColumnYaml>>,
    /// `[a, b]`: partition key `a`, clustering column `b`; `[[a, b], c]`: partition key of two.
    pub primary_key: Vec<OneOrMany>,
    pub partitions: u64,
    /// Rows in each partition.
    #[serde(default)]
    pub clustering_rows: Option<u64>,
    /// Without clustering columns: how many times each row is written with other values before they repeat.
    #[serde(default)]
    pub versions: Option<u64>,
    #[serde(default)]
    pub ttl: Option<Span>,
    /// Anything else CQL allows after `WITH`.
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

#[derive(Deserialize, Clone)]
#[serde(rename_all = "snake_case")]
pub(crate) enum GenerateYaml {
    Sequence(SequenceYaml),
    Uniform(UniformYaml),
    Zipf(ZipfYaml),
    Gaussian(GaussianYaml),
    Text(SizedYaml),
    Bytes(SizedYaml),
    Time(TimeYaml),
    Latitude(AreaYaml),
    Longitude(AreaYaml),
    OneOf(Vec<String>),
    Uuid,
}

#[derive(Deserialize, Clone, Default)]
#[serde(deny_unknown_fields)]
pub(crate) struct SequenceYaml {
    #[serde(default)]
    pub start: i64,
    #[serde(default)]
    pub step: Option<i64>,
    /// For text: what stands before the number.
    #[serde(default)]
    pub prefix: String,
    /// For text: digits, filled with zeros.
    #[serde(default)]
    pub digits: Option<usize>,
}

#[derive(Deserialize, Clone)]
#[serde(deny_unknown_fields)]
pub(crate) struct UniformYaml {
    pub min: f64,
    pub max: f64,
}

#[derive(Deserialize, Clone)]
#[serde(deny_unknown_fields)]
pub(crate) struct ZipfYaml {
    #[serde(default)]
    pub min: i64,
    pub max: i64,
    #[serde(default = "one")]
    pub exponent: f64,
}

#[derive(Deserialize, Clone)]
#[serde(deny_unknown_fields)]
pub(crate) struct GaussianYaml {
    pub mean: f64,
    pub stddev: f64,
    #[serde(default)]
    pub min: Option<f64>,
    #[serde(default)]
    pub max: Option<f64>,
}

#[derive(Deserialize, Clone)]
#[serde(deny_unknown_fields)]
pub(crate) struct SizedYaml {
    pub size: ShortOrFull<SizeYaml>,
    #[serde(default)]
    pub prefix: String,
}

/// A fixed size in bytes, or uniform between two.
#[derive(Deserialize, Clone, Copy)]
#[serde(deny_unknown_fields)]
pub(crate) struct SizeYaml {
    pub min: u32,
    pub max: u32,
}

impl FromStr for SizeYaml {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let size = text.parse().map_err(|_| format!("'{text}' is not a size in bytes, nor {{min: .., max: ..}}"))?;
        Ok(Self { min: size, max: size })
    }
}

#[derive(Deserialize, Clone)]
#[serde(deny_unknown_fields)]
pub(crate) struct TimeYaml {
    #[serde(default)]
    pub start: Option<String>,
    pub step: Span,
}

#[derive(Deserialize, Clone)]
#[serde(deny_unknown_fields)]
pub(crate) struct AreaYaml {
    pub latitude: f64,
    pub longitude: f64,
    pub radius_km: f64,
    #[serde(default)]
    pub step_m: f64,
}

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
    /// CQL of one's own: `{table}` stands for the table, `:name` for a bound column.
    #[serde(default)]
    pub cql: Option<String>,
    /// The table that `cql` works on.
    #[serde(default)]
    pub table: Option<String>,
    /// Values bound by `:name` that are not columns of the table.
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
    /// `not exists`, `exists` or conditions such as `emp_dept = :emp_dept`: makes it a lightweight transaction.
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
    /// Rows of one partition (`partition`), or of as many partitions as rows (`row`).
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

/// As fractions of the rows: `mean: 0.5, stddev: 0.1`.
#[derive(Deserialize, Clone)]
#[serde(deny_unknown_fields)]
pub(crate) struct PickGaussianYaml {
    pub mean: f64,
    pub stddev: f64,
}

fn one() -> f64 {
    1.0
}

fn by_partition() -> By {
    By::Partition
}

/// A share of the requests: a number relative to the others, a percentage of all, or what the percentages leave.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Weight {
    Relative(f64),
    Percent(f64),
    Rest,
}

impl Default for Weight {
    fn default() -> Self {
        Weight::Relative(1.0)
    }
}

impl FromStr for Weight {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "rest" {
            return Ok(Weight::Rest);
        }
        let (number, percent) = text.strip_suffix('%').map_or((text, false), |number| (number, true));
        match number.trim().parse::<f64>() {
            Ok(value) if percent && (0.0..=100.0).contains(&value) => Ok(Weight::Percent(value)),
            Ok(value) if !percent && value >= 0.0 && value.is_finite() => Ok(Weight::Relative(value)),
            _ => Err(format!("'{text}' is not a weight; write a number such as 3, a percentage such as 50%, or rest")),
        }
    }
}

/// A duration such as `30s`, `5m` or `1d`.
#[derive(Clone, Copy)]
pub(crate) struct Span(pub Duration);

impl FromStr for Span {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        humantime::parse_duration(text)
            .map(Span)
            .map_err(|error| format!("'{text}' is not a duration such as 30s or 1d: {error}"))
    }
}

macro_rules! deserialize_from_str {
    ($($name:ty),*) => {$(
        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                String::deserialize(from)?.parse().map_err(de::Error::custom)
            }
        }
    )*};
}
deserialize_from_str!(Weight, Span);

#[derive(Deserialize)]
#[serde(untagged)]
pub(crate) enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

/// A scalar that `FromStr` understands, or the mapping it is short for.
#[derive(Clone)]
pub(crate) struct ShortOrFull<T>(pub T);

impl<'de, T> Deserialize<'de> for ShortOrFull<T>
where
    T: Deserialize<'de> + FromStr<Err = String>,
{
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Either<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de> + FromStr<Err = String>> Visitor<'de> for Either<T> {
            type Value = T;

            fn expecting(&self, out: &mut fmt::Formatter) -> fmt::Result {
                out.write_str("a single value or a mapping")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<T, E> {
                text.parse().map_err(E::custom)
            }

            fn visit_u64<E: de::Error>(self, number: u64) -> Result<T, E> {
                self.visit_str(&number.to_string())
            }

            fn visit_i64<E: de::Error>(self, number: i64) -> Result<T, E> {
                self.visit_str(&number.to_string())
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
                T::deserialize(MapAccessDeserializer::new(map))
            }
        }

        from.deserialize_any(Either(PhantomData)).map(ShortOrFull)
    }
}
