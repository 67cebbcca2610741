//! Compiles a column's `generate:` to its [`Fill`].

mod composite;
mod scalar;

pub(crate) use scalar::normal;

use crate::area::Axis;
use crate::cql_type::{CqlType, Number};
use crate::format::GenerateYaml;
use crate::generator::{Fill, RealDraw, Size, Ticks, WholeDraw};
use crate::role::{Role, Salts};

pub(crate) type FillResult = std::result::Result<Fill, String>;

/// The fill of a column that names no generator.
pub(crate) fn default_for(cql_type: &CqlType, role: Role, salts: Salts) -> FillResult {
    const SIZE: Size = Size { min: 16, max: 16 };
    let from_2026 = |step_ms| Ticks { start_ms: scalar::START_2026_MS, step_ms };
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
        CqlType::Frozen(of) => default_for(of, role, salts)?,
        CqlType::List(_) | CqlType::Set(_) | CqlType::Map(..) | CqlType::User(_) => {
            composite::default_for(cql_type, salts)?
        }
    })
}

/// The fill that `generate:` describes.
pub(crate) fn from_yaml(cql_type: &CqlType, role: Role, generate: &GenerateYaml, salts: Salts) -> FillResult {
    if let CqlType::Frozen(of) = cql_type {
        return from_yaml(of, role, generate, salts);
    }
    let number = cql_type.as_number();
    let unfit =
        |what: &str, types: &str| Err(format!("{what} cannot fill a column of type {cql_type}; it fills {types}"));
    match (generate, number) {
        (GenerateYaml::Sequence(yaml), _) if cql_type.is_text() => scalar::digits(yaml),
        (GenerateYaml::Sequence(yaml), Some(number)) => scalar::sequence(number, yaml),
        (GenerateYaml::Sequence(_), None) => unfit("sequence", "numbers and text"),
        (GenerateYaml::Uniform(yaml), Some(number)) => scalar::uniform(number, yaml.min, yaml.max),
        (GenerateYaml::Uniform(_), None) => unfit("uniform", "numbers"),
        (GenerateYaml::Gaussian(yaml), Some(number)) => scalar::gaussian(number, yaml),
        (GenerateYaml::Gaussian(_), None) => unfit("gaussian", "numbers"),
        (GenerateYaml::Zipf(yaml), Some(number)) => scalar::zipf(number, yaml),
        (GenerateYaml::Zipf(_), None) => unfit("zipf", "numbers"),
        (GenerateYaml::Text(yaml), _) if cql_type.is_text() => scalar::text(yaml, role),
        (GenerateYaml::Text(_), _) => unfit("text", "text and ascii"),
        (GenerateYaml::Bytes(yaml), _) if *cql_type == CqlType::Blob => {
            Ok(Fill::Bytes(scalar::size(yaml.size.0, scalar::MAX_VALUE_BYTES)?))
        }
        (GenerateYaml::Bytes(_), _) => unfit("bytes", "blob"),
        (GenerateYaml::Time(yaml), _) => scalar::time(cql_type, yaml),
        (GenerateYaml::Latitude(yaml), Some(number)) if number.is_real() => {
            Ok(Fill::Real(number, RealDraw::Coordinate(Axis::Latitude, scalar::area(yaml, salts.table)?)))
        }
        (GenerateYaml::Longitude(yaml), Some(number)) if number.is_real() => {
            Ok(Fill::Real(number, RealDraw::Coordinate(Axis::Longitude, scalar::area(yaml, salts.table)?)))
        }
        (GenerateYaml::Latitude(_) | GenerateYaml::Longitude(_), _) => unfit("a position", "float and double"),
        (GenerateYaml::OneOf(values), _) => scalar::one_of(cql_type, values),
        (GenerateYaml::Uuid, _) if *cql_type == CqlType::Uuid => Ok(Fill::Uuid),
        (GenerateYaml::Uuid, _) => unfit("uuid", "uuid; for timeuuid use time"),
        (GenerateYaml::Elements(yaml), _) => composite::elements(cql_type, yaml, salts),
        (GenerateYaml::Fields(yaml), _) => composite::fields(cql_type, yaml, salts),
    }
}
