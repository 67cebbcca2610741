//! Fills of lists, sets, maps and user-defined types.

use indexmap::IndexMap;

use super::{FillResult, scalar};
use crate::cql_type::{CqlType, UserType};
use crate::draw::salt;
use crate::format::{ElementsYaml, GenerateYaml};
use crate::generator::{Fill, Generator, Size};
use crate::role::{Role, Salts};

/// Default number of elements.
const DEFAULT_SIZE: Size = Size { min: 1, max: 4 };
/// The protocol counts elements in 32 bits, but Cassandra warns long before.
const MAX_ELEMENTS: u32 = 65_535;

pub(super) fn default_for(cql_type: &CqlType, salts: Salts) -> FillResult {
    match cql_type {
        CqlType::User(user) => fields_of(user, &IndexMap::new(), salts),
        _ => elements_of(cql_type, DEFAULT_SIZE, None, None, salts),
    }
}

pub(super) fn elements(cql_type: &CqlType, yaml: &ElementsYaml, salts: Salts) -> FillResult {
    if matches!(cql_type, CqlType::User(_)) {
        return Err(format!("elements cannot fill {cql_type}; write fields"));
    }
    let size = scalar::size(yaml.size.0, MAX_ELEMENTS)?;
    elements_of(cql_type, size, yaml.keys.as_deref(), yaml.of.as_deref(), salts)
}

fn elements_of(
    cql_type: &CqlType,
    size: Size,
    keys: Option<&GenerateYaml>,
    of: Option<&GenerateYaml>,
    salts: Salts,
) -> FillResult {
    let (key_type, element_type) = match cql_type {
        CqlType::List(element) | CqlType::Set(element) => (None, element),
        CqlType::Map(key, value) => (Some(key), value),
        _ => return Err(format!("elements cannot fill a column of type {cql_type}; it fills list, set and map")),
    };
    if keys.is_some() && key_type.is_none() {
        return Err(format!("keys are for maps, not for {cql_type}"));
    }
    let keys = key_type.map(|key| part("keys", key, keys, salts).map(Box::new)).transpose()?;
    let of = Box::new(part("of", element_type, of, salts)?);
    Ok(Fill::Elements { size, keys, of })
}

pub(super) fn fields(cql_type: &CqlType, yaml: &IndexMap<String, GenerateYaml>, salts: Salts) -> FillResult {
    match cql_type {
        CqlType::User(user) => fields_of(user, yaml, salts),
        _ => Err(format!("fields cannot fill a column of type {cql_type}; it fills the types of the workload")),
    }
}

fn fields_of(user: &UserType, yaml: &IndexMap<String, GenerateYaml>, salts: Salts) -> FillResult {
    if let Some(unknown) = yaml.keys().find(|name| !user.fields.iter().any(|(field, _)| field == *name)) {
        let known: Vec<&str> = user.fields.iter().map(|(field, _)| field.as_str()).collect();
        return Err(format!("'{unknown}' is not a field of {}; use one of {}", user.name, known.join(", ")));
    }
    let field = |(name, cql_type): &(String, CqlType)| part(name, cql_type, yaml.get(name), salts);
    user.fields.iter().map(field).collect::<Result<_, _>>().map(Fill::Fields)
}

/// The generator of one part of a value, independent of all other parts.
fn part(
    name: &str,
    cql_type: &CqlType,
    generate: Option<&GenerateYaml>,
    salts: Salts,
) -> std::result::Result<Generator, String> {
    let salts = Salts { column: salt(salts.column, &[name]), ..salts };
    let fill = match generate {
        Some(generate) => super::from_yaml(cql_type, Role::Regular, generate, salts),
        None => super::default_for(cql_type, Role::Regular, salts),
    };
    let fill = fill.map_err(|message| format!("{name}: {message}"))?;
    Ok(Generator { salt: salts.column, fill })
}
