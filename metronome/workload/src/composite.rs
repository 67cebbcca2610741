//! From `generate:` to what fills lists, sets, maps and users' types.

use indexmap::IndexMap;

use crate::column::{Role, Salts};
use crate::cql_type::{CqlType, UserType};
use crate::draw::salt;
use crate::fill::{self, Made, size};
use crate::format::{ElementsYaml, GenerateYaml};
use crate::generator::{Fill, Generator, Size};

/// Elements where nothing is said.
const USUAL: Size = Size { min: 1, max: 4 };
/// The protocol counts elements in 32 bits, but Cassandra warns long before.
const MOST_ELEMENTS: u32 = 65_535;

pub(crate) fn usual(cql_type: &CqlType, salts: Salts) -> Made {
    match cql_type {
        CqlType::User(user) => fields_of(user, &IndexMap::new(), salts),
        _ => elements_of(cql_type, USUAL, None, None, salts),
    }
}

pub(crate) fn elements(cql_type: &CqlType, yaml: &ElementsYaml, salts: Salts) -> Made {
    if matches!(cql_type, CqlType::User(_)) {
        return Err(format!("elements cannot fill {cql_type}; write fields"));
    }
    let size = size(yaml.size.0, MOST_ELEMENTS)?;
    elements_of(cql_type, size, yaml.keys.as_deref(), yaml.of.as_deref(), salts)
}

fn elements_of(
    cql_type: &CqlType,
    size: Size,
    keys: Option<&GenerateYaml>,
    of: Option<&GenerateYaml>,
    salts: Salts,
) -> Made {
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

pub(crate) fn fields(cql_type: &CqlType, yaml: &IndexMap<String, GenerateYaml>, salts: Salts) -> Made {
    match cql_type {
        CqlType::User(user) => fields_of(user, yaml, salts),
        _ => Err(format!("fields cannot fill a column of type {cql_type}; it fills what stands under types")),
    }
}

fn fields_of(user: &UserType, yaml: &IndexMap<String, GenerateYaml>, salts: Salts) -> Made {
    if let Some(unknown) = yaml.keys().find(|name| !user.fields.iter().any(|(field, _)| field == *name)) {
        let known: Vec<&str> = user.fields.iter().map(|(field, _)| field.as_str()).collect();
        return Err(format!("'{unknown}' is no field of {}; it has {}", user.name, known.join(", ")));
    }
    let field = |(name, cql_type): &(String, CqlType)| part(name, cql_type, yaml.get(name), salts);
    user.fields.iter().map(field).collect::<Result<_, _>>().map(Fill::Fields)
}

/// What fills one part of a value; drawn apart from all other parts.
fn part(
    name: &str,
    cql_type: &CqlType,
    generate: Option<&GenerateYaml>,
    salts: Salts,
) -> std::result::Result<Generator, String> {
    let salts = Salts { column: salt(salts.column, &[name]), ..salts };
    let fill = match generate {
        Some(generate) => fill::explicit(cql_type, Role::Regular, generate, salts),
        None => fill::usual(cql_type, Role::Regular, salts),
    };
    let fill = fill.map_err(|message| format!("{name}: {message}"))?;
    Ok(Generator { salt: salts.column, fill })
}
