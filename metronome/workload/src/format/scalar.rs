//! YAML of weights, durations and values with a short form.

use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;
use std::time::Duration;

use serde::Deserialize;
use serde::de::{self, Deserializer, MapAccess, Visitor, value::MapAccessDeserializer};

/// A share of the requests: a relative number, a percentage, or the rest of the percentages.
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

/// A mapping, or the scalar that is its short form (parsed by `FromStr`).
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
