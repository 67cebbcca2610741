//! YAML of generators.

use std::str::FromStr;

use indexmap::IndexMap;
use serde::Deserialize;

use super::one;
use super::scalar::{ShortOrFull, Span};

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
    Elements(ElementsYaml),
    Fields(IndexMap<String, GenerateYaml>),
}

/// Elements of a list, set or map.
#[derive(Deserialize, Clone)]
#[serde(deny_unknown_fields)]
pub(crate) struct ElementsYaml {
    /// Number of elements.
    pub size: ShortOrFull<SizeYaml>,
    #[serde(default)]
    pub of: Option<Box<GenerateYaml>>,
    #[serde(default)]
    pub keys: Option<Box<GenerateYaml>>,
}

#[derive(Deserialize, Clone, Default)]
#[serde(deny_unknown_fields)]
pub(crate) struct SequenceYaml {
    #[serde(default)]
    pub start: i64,
    #[serde(default)]
    pub step: Option<i64>,
    /// For text: the text before the number.
    #[serde(default)]
    pub prefix: String,
    /// For text: number of digits, filled with zeros.
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

/// A fixed size in bytes or elements, or a range with uniform distribution.
#[derive(Deserialize, Clone, Copy)]
#[serde(deny_unknown_fields)]
pub(crate) struct SizeYaml {
    pub min: u32,
    pub max: u32,
}

impl FromStr for SizeYaml {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let size =
            text.parse().map_err(|_| format!("'{text}' is not a size; write a number or {{min: .., max: ..}}"))?;
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
