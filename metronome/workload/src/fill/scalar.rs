//! Fills of numbers, text, times, positions and lists of values.

use rand_distr::{Normal, Zipf};

use super::FillResult;
use crate::area::Area;
use crate::cql_type::{CqlType, Number};
use crate::draw::DISTINCT_CHARS;
use crate::encode::put_whole;
use crate::format::{AreaYaml, GaussianYaml, SequenceYaml, SizeYaml, SizedYaml, TimeYaml, ZipfYaml};
use crate::generator::{Fill, RealDraw, Size, Ticks, WholeDraw};
use crate::role::Role;

fn whole_range(name: &str, value: f64, number: Number) -> std::result::Result<i64, String> {
    let (min, max) = number.range();
    if value.fract() != 0.0 || value < min as f64 || value > max as f64 {
        return Err(format!("{name} must be a whole number from {min} to {max}, not {value}"));
    }
    Ok(value as i64)
}

pub(super) fn digits(yaml: &SequenceYaml) -> FillResult {
    let (step, digits) = (yaml.step.unwrap_or(1), yaml.digits.unwrap_or(0));
    if digits > 64 {
        return Err(format!("digits must be at most 64, not {digits}"));
    }
    Ok(Fill::Digits { prefix: yaml.prefix.clone().into_bytes(), digits, start: yaml.start, step })
}

pub(super) fn sequence(number: Number, yaml: &SequenceYaml) -> FillResult {
    if !yaml.prefix.is_empty() || yaml.digits.is_some() {
        return Err("prefix and digits are for text columns".into());
    }
    Ok(Fill::Whole(number, WholeDraw::Sequence { start: yaml.start, step: yaml.step.unwrap_or(1) }))
}

pub(super) fn uniform(number: Number, min: f64, max: f64) -> FillResult {
    if !(min.is_finite() && max.is_finite() && min <= max) {
        return Err(format!("max must not be below min: {min} to {max}"));
    }
    if number.is_real() {
        return Ok(Fill::Real(number, RealDraw::Uniform { min, width: max - min }));
    }
    let (min, max) = (whole_range("min", min, number)?, whole_range("max", max, number)?);
    Ok(Fill::Whole(number, WholeDraw::Uniform { min, span: (max.wrapping_sub(min) as u64).wrapping_add(1) }))
}

/// Refuses a negative deviation, which `Normal::new` takes as its mirror image: in a workload it is a mistake.
pub(crate) fn normal(mean: f64, stddev: f64) -> std::result::Result<Normal<f64>, String> {
    match Normal::new(mean, stddev) {
        Ok(normal) if stddev >= 0.0 && mean.is_finite() => Ok(normal),
        _ => Err("stddev must be a number of 0 or more".into()),
    }
}

pub(super) fn zipf(number: Number, yaml: &ZipfYaml) -> FillResult {
    whole_range("min", yaml.min as f64, number)?;
    whole_range("max", yaml.max as f64, number)?;
    let values = yaml.max.checked_sub(yaml.min).filter(|span| *span >= 0).ok_or("max must not be below min")?;
    let zipf = Zipf::new(values as f64 + 1.0, yaml.exponent).map_err(|_| "exponent must be 0 or more")?;
    Ok(Fill::Whole(number, WholeDraw::Zipf { min: yaml.min, zipf }))
}

pub(super) fn gaussian(number: Number, yaml: &GaussianYaml) -> FillResult {
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

pub(super) const MAX_VALUE_BYTES: u32 = 16 << 20;

pub(super) fn size(yaml: SizeYaml, largest: u32) -> std::result::Result<Size, String> {
    let size = Size { min: yaml.min, max: yaml.max };
    match size.min <= size.max && size.max <= largest {
        true => Ok(size),
        false => Err(format!("size must have min <= max, and max at most {largest}")),
    }
}

pub(super) fn text(yaml: &SizedYaml, role: Role) -> FillResult {
    let size = size(yaml.size.0, MAX_VALUE_BYTES)?;
    // A shorter text cannot spell 64 bits; the check of the primary key decides whether that matters.
    let distinct = role.is_key() && size.min as usize >= DISTINCT_CHARS;
    Ok(Fill::Text { prefix: yaml.prefix.clone().into_bytes(), size, distinct })
}

/// 2026-01-01T00:00:00Z
pub(super) const START_2026_MS: i64 = 1_767_225_600_000;

pub(super) fn time(cql_type: &CqlType, yaml: &TimeYaml) -> FillResult {
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

pub(super) fn area(yaml: &AreaYaml, salt: u64) -> std::result::Result<Area, String> {
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

pub(super) fn one_of(cql_type: &CqlType, values: &[String]) -> FillResult {
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
