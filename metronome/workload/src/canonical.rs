//! Comparison of values whose bytes the server does not preserve: it sorts sets and maps.

use std::collections::{BTreeMap, BTreeSet};

use crate::cql_type::CqlType;

/// Returns the same bytes for every order of the same set or map; `None` if the bytes do not fit the type.
pub(crate) fn canonical(cql_type: &CqlType, bytes: &[u8]) -> Option<Vec<u8>> {
    let mut rest = bytes;
    match cql_type {
        CqlType::Frozen(of) => canonical(of, bytes),
        CqlType::List(of) => {
            let elements: Vec<Vec<u8>> =
                (0..count(&mut rest)?).map(|_| element(of, &mut rest)).collect::<Option<_>>()?;
            Some(joined(elements.len(), elements))
        }
        CqlType::Set(of) => {
            let elements: BTreeSet<Vec<u8>> =
                (0..count(&mut rest)?).map(|_| element(of, &mut rest)).collect::<Option<_>>()?;
            Some(joined(elements.len(), elements))
        }
        CqlType::Map(key, value) => {
            // The last value of a repeated key wins.
            let mut entries = BTreeMap::new();
            for _ in 0..count(&mut rest)? {
                entries.insert(element(key, &mut rest)?, element(value, &mut rest)?);
            }
            Some(joined(entries.len(), entries.into_iter().flat_map(|(key, value)| [key, value])))
        }
        CqlType::User(user) => {
            let fields: Vec<Vec<u8>> =
                user.fields.iter().map(|(_, of)| element(of, &mut rest)).collect::<Option<_>>()?;
            Some(joined(fields.len(), fields))
        }
        _ => Some(bytes.to_vec()),
    }
}

fn count(rest: &mut &[u8]) -> Option<u32> {
    let (size, behind) = rest.split_first_chunk::<4>()?;
    *rest = behind;
    Some(u32::from_be_bytes(*size))
}

fn element(cql_type: &CqlType, rest: &mut &[u8]) -> Option<Vec<u8>> {
    let size = count(rest)? as usize;
    let (bytes, behind) = rest.split_at_checked(size)?;
    *rest = behind;
    canonical(cql_type, bytes)
}

fn joined(count: usize, parts: impl IntoIterator<Item = Vec<u8>>) -> Vec<u8> {
    let mut out = (count as u32).to_be_bytes().to_vec();
    for part in parts {
        out.extend_from_slice(&(part.len() as u32).to_be_bytes());
        out.extend_from_slice(&part);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ints(values: &[i32]) -> Vec<u8> {
        joined(values.len(), values.iter().map(|value| value.to_be_bytes().to_vec()))
    }

    #[test]
    fn order_matters_in_lists_only() {
        let (forth, back) = (ints(&[1, 2, 3, 4]), ints(&[3, 4, 1, 2]));
        let int = || Box::new(CqlType::Int);
        let map = CqlType::Map(int(), int());
        let pairs = |bytes: &[u8]| [&2_u32.to_be_bytes(), &bytes[4..]].concat();
        let (list, set) = (CqlType::List(int()), CqlType::Frozen(Box::new(CqlType::Set(int()))));
        assert_ne!(canonical(&list, &forth), canonical(&list, &back));
        assert_eq!(canonical(&set, &forth), canonical(&set, &back));
        assert_eq!(canonical(&map, &pairs(&forth)), canonical(&map, &pairs(&back)));
        assert_ne!(canonical(&map, &pairs(&forth)), canonical(&map, &pairs(&ints(&[1, 4, 3, 2]))));
        assert_eq!(canonical(&set, &ints(&[1, 1, 2])), canonical(&set, &ints(&[2, 1])));
        assert_eq!(canonical(&set, &forth[..9]), None, "cut short");
    }
}
