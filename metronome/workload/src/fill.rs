//! From a column's `generate:` to what fills it.

use rand_distr::{Normal, Zipf};

use crate::area::{Area, Axis};
use crate::column::{Role, Salts};
use crate::composite;
use crate::cql_type::{CqlType, Number};
use crate::draw::DISTINCT_CHARS;
use crate::encode::put_whole;
use crate::format::{AreaYaml, GaussianYaml, GenerateYaml, SequenceYaml, SizeYaml, SizedYaml, TimeYaml};
use crate::generator::{Fill, RealDraw, Size, Ticks, WholeDraw};

pub(crate) type Made = std::result::Result<Fill, String>;

/// What fills a column that names no generator.
pub(crate) fn usual(cql_type: &CqlType, role: Role, salts: Salts) -> Made {
    const SIZE: Size = Size { min: 16, max: 16 };
    let from_2026 = |step_ms| Ticks { start_ms: START_2026_MS, step_ms };
    Ok(match cql_type {
        CqlType::Counter => Fill::Whole(Number::I64, WholeDraw::Uniform { min: 1, span: 1 }),
        CqlType::Float => Fill::Real(Number::F32, RealDraw::Uniform { min: 0.0, width: 1.0 }),
        CqlType::Double => Fill::Real(Number::F64, RealDraw::Uniform { min: 0.0, width: 1.0 }),
        CqlType::Decimal => Fill::Real(Number::Decimal, RealDraw::Uniform { min: 0.0, width: 10_000.0 }),
        CqlType::Tinyint | CqlType::Smallint | CqlType::Int | CqlType::Bigint | CqlType::Varint => {
            let number = cql_type.as_number().expect("whole numbers are numbers");
            let (min, max) = number.range();
            let all = WholeDraw::Uniform { min, span: (max.wrapping_sub(min) as u64).wrapping_add(1) };
            Fill::Whole(number, if role.is_key() { WholeDraw::Sequence { start: 0, step: 1 } } else { all })
        }
        CqlType::Text | CqlType::Ascii => Fill::Text { prefix: Vec::new(), size: SIZE, distinct: role.is_key() },
        CqlType::Blob => Fill::Bytes(SIZE),
        CqlType::Boolean => Fill::Boolean,
        CqlType::Inet => Fill::Inet,
        CqlType::Uuid => Fill::Uuid,
        CqlType::Timeuuid => Fill::Timeuuid(from_2026(1_000)),
        CqlType::Timestamp => Fill::Timestamp(from_2026(1_000)),
        CqlType::Date => Fill::Date(from_2026(86_400_000)),
        CqlType::Time => Fill::TimeOfDay(from_2026(1_000)),
        CqlType::Duration => Fill::Duration,
        CqlType::FloatVector(dimensions) => Fill::FloatVector(*dimensions),
        CqlType::Frozen(of) => usual(of, role, salts)?,
        CqlType::List(_) | CqlType::Set(_) | CqlType::Map(..) | CqlType::User(_) => composite::usual(cql_type, salts)?,
    })
}

pub(crate) fn explicit(cql_type: &CqlType, role: Role, generate: &GenerateYaml, salts: Salts) -> Made {
    if let CqlType::Frozen(of) = cql_type {
        return explicit(of, role, generate, salts);
    }
    let number = cql_type.as_number();
    let unfit =
        |what: &str, types: &str| Err(format!("{what} cannot fill a column of type {cql_type}; it fills {types}"));
    match (generate, number) {
        (GenerateYaml::Sequence(yaml), _) if cql_type.is_text() => digits(yaml),
        (GenerateYaml::Sequence(yaml), Some(number)) => sequence(number, yaml),
        (GenerateYaml::Sequence(_), None) => unfit("sequence", "numbers and text"),
        (GenerateYaml::Uniform(yaml), Some(number)) => uniform(number, yaml.min, yaml.max),
        (GenerateYaml::Uniform(_), None) => unfit("uniform", "numbers"),
        (GenerateYaml::Gaussian(yaml), Some(number)) => gaussian(number, yaml),
        (GenerateYaml::Gaussian(_), None) => unfit("gaussian", "numbers"),
        (GenerateYaml::Zipf(yaml), Some(number)) => {
            whole_range("min", yaml.min as f64, number)?;
            whole_range("max", yaml.max as f64, number)?;
            let values = yaml.max.checked_sub(yaml.min).filter(|span| *span >= 0).ok_or("max must not be below min")?;
            let zipf = Zipf::new(values as f64 + 1.0, yaml.exponent).map_err(|_| "exponent must be 0 or more")?;
            Ok(Fill::Whole(number, WholeDraw::Zipf { min: yaml.min, zipf }))
        }
        (GenerateYaml::Zipf(_), None) => unfit("zipf", "numbers"),
        (GenerateYaml::Text(yaml), _) if cql_type.is_text() => text(yaml, role),
        (GenerateYaml::Text(_), _) => unfit("text", "text and ascii"),
        (GenerateYaml::Bytes(yaml), _) if *cql_type == CqlType::Blob => {
            Ok(Fill::Bytes(size(yaml.size.0, LARGEST_VALUE)?))
        }
        (GenerateYaml::Bytes(_), _) => unfit("bytes", "blob"),
        (GenerateYaml::Time(yaml), _) => time(cql_type, yaml),
        (GenerateYaml::Latitude(yaml), Some(number)) if number.is_real() => {
            Ok(Fill::Real(number, RealDraw::Place(Axis::Latitude, area(yaml, salts.table)?)))
        }
        (GenerateYaml::Longitude(yaml), Some(number)) if number.is_real() => {
            Ok(Fill::Real(number, RealDraw::Place(Axis::Longitude, area(yaml, salts.table)?)))
        }
        (GenerateYaml::Latitude(_) | GenerateYaml::Longitude(_), _) => unfit("a position", "float and double"),
        (GenerateYaml::OneOf(values), _) => one_of(cql_type, values),
        (GenerateYaml::Uuid, _) if *cql_type == CqlType::Uuid => Ok(Fill::Uuid),
        (GenerateYaml::Uuid, _) => unfit("uuid", "uuid; for timeuuid use time"),
        (GenerateYaml::Elements(yaml), _) => composite::elements(cql_type, yaml, salts),
        (GenerateYaml::Fields(yaml), _) => composite::fields(cql_type, yaml, salts),
    }
}

fn whole_range(name: &str, value: f64, number: Number) -> std::result::Result<i64, String> {
    let (min, max) = number.range();
    if value.fract() != 0.0 || value < min as f64 || value > max as f64 {
        return Err(format!("{name} must be a whole number from {min} to {max}, not {value}"));
    }
    Ok(value as i64)
}

fn digits(yaml: &SequenceYaml) -> Made {
    let (step, digits) = (yaml.step.unwrap_or(1), yaml.digits.unwrap_or(0));
    if digits > 64 {
        return Err(format!("digits must be at most 64, not {digits}"));
    }
    Ok(Fill::Digits { prefix: yaml.prefix.clone().into_bytes(), digits, start: yaml.start, step })
}

fn sequence(number: Number, yaml: &SequenceYaml) -> Made {
    if !yaml.prefix.is_empty() || yaml.digits.is_some() {
        return Err("prefix and digits are for text columns".into());
    }
    Ok(Fill::Whole(number, WholeDraw::Sequence { start: yaml.start, step: yaml.step.unwrap_or(1) }))
}

fn uniform(number: Number, min: f64, max: f64) -> Made {
    if !(min.is_finite() && max.is_finite() && min <= max) {
        return Err(format!("max must not be below min: {min} to {max}"));
    }
    if number.is_real() {
        return Ok(Fill::Real(number, RealDraw::Uniform { min, width: max - min }));
    }
    let (min, max) = (whole_range("min", min, number)?, whole_range("max", max, number)?);
    Ok(Fill::Whole(number, WholeDraw::Uniform { min, span: (max.wrapping_sub(min) as u64).wrapping_add(1) }))
}

/// `Normal::new` takes a negative deviation as its mirror image; in a workload it is a slip.
pub(crate) fn normal(mean: f64, stddev: f64) -> std::result::Result<Normal<f64>, String> {
    match Normal::new(mean, stddev) {
        Ok(normal) if stddev >= 0.0 && mean.is_finite() => Ok(normal),
        _ => Err("stddev must be a number of 0 or more".into()),
    }
}

fn gaussian(number: Number, yaml: &GaussianYaml) -> Made {
    let normal = normal(yaml.mean, yaml.stddev)?;
    if number.is_real() {
        let (min, max) = (yaml.min.unwrap_or(f64::NEG_INFINITY), yaml.max.unwrap_or(f64::INFINITY));
        if min > max {
            return Err(format!("max must not be below min: {min} to {max}"));
        }
        return Ok(Fill::Real(number, RealDraw::Gaussian { normal, min, max }));
    }
    let (lowest, highest) = number.range();
    let min = yaml.min.map_or(Ok(lowest), |min| whole_range("min", min, number))?;
    let max = yaml.max.map_or(Ok(highest), |max| whole_range("max", max, number))?;
    if min > max {
        return Err(format!("max must not be below min: {min} to {max}"));
    }
    Ok(Fill::Whole(number, WholeDraw::Gaussian { normal, min, max }))
}

const LARGEST_VALUE: u32 = 16 << 20;

pub(crate) fn size(yaml: SizeYaml, largest: u32) -> std::result::Result<Size, String> {
    let size = Size { min: yaml.min, max: yaml.max };
    match size.min <= size.max && size.max <= largest {
        true => Ok(size),
        false => Err(format!("size must go from a smaller to a larger number, at most {largest}")),
    }
}

fn text(yaml: &SizedYaml, role: Role) -> Made {
    let size = size(yaml.size.0, LARGEST_VALUE)?;
    // Too short to spell 64 bits: the check of the primary key decides whether that matters.
    let distinct = role.is_key() && size.min as usize >= DISTINCT_CHARS;
    Ok(Fill::Text { prefix: yaml.prefix.clone().into_bytes(), size, distinct })
}

/// 2026-01-01T00:00:00Z
const START_2026_MS: i64 = 1_767_225_600_000;

fn time(cql_type: &CqlType, yaml: &TimeYaml) -> Made {
    let start_ms = match &yaml.start {
        None => START_2026_MS,
        Some(text) => humantime::parse_rfc3339_weak(text)
            .ok()
            .and_then(|at| at.duration_since(std::time::UNIX_EPOCH).ok())
            .map(|since| since.as_millis() as i64)
            .ok_or_else(|| format!("start '{text}' is not a time such as 2026-01-01T00:00:00Z"))?,
    };
    let step_ms = i64::try_from(yaml.step.0.as_millis()).map_err(|_| "step is too long")?;
    let ticks = Ticks { start_ms, step_ms };
    Ok(match cql_type {
        CqlType::Timestamp => Fill::Timestamp(ticks),
        CqlType::Timeuuid => Fill::Timeuuid(ticks),
        CqlType::Date => Fill::Date(ticks),
        CqlType::Time => Fill::TimeOfDay(ticks),
        _ => {
            return Err(format!(
                "time cannot fill a column of type {cql_type}; it fills timestamp, timeuuid, date and time"
            ));
        }
    })
}

fn area(yaml: &AreaYaml, salt: u64) -> std::result::Result<Area, String> {
    let ok = yaml.latitude.abs() <= 90.0
        && yaml.longitude.abs() <= 180.0
        && (0.0..=20_000.0).contains(&yaml.radius_km)
        && yaml.step_m.is_finite();
    if !ok {
        return Err("needs latitude -90 to 90, longitude -180 to 180, radius_km 0 to 20000".into());
    }
    let radius_m = yaml.radius_km * 1_000.0;
    Ok(Area { salt, latitude: yaml.latitude, longitude: yaml.longitude, radius_m, step_m: yaml.step_m })
}

fn one_of(cql_type: &CqlType, values: &[String]) -> Made {
    if values.is_empty() {
        return Err("one_of needs at least one value".into());
    }
    let encoded: std::result::Result<Vec<Vec<u8>>, String> = values
        .iter()
        .map(|value| match cql_type.as_number() {
            Some(number) if !number.is_real() => {
                let parsed = value.parse::<f64>().map_err(|_| format!("one_of: '{value}' is not a whole number"))?;
                let mut bytes = [0; 8];
                let width = put_whole(number, whole_range("one_of", parsed, number)?, &mut bytes);
                Ok(bytes[..width].to_vec())
            }
            None if cql_type.is_text() => Ok(value.clone().into_bytes()),
            _ => Err(format!("one_of cannot fill a column of type {cql_type}; it fills text and whole numbers")),
        })
        .collect();
    Ok(Fill::OneOf(encoded?))
}
