//! Lists, sets, maps, user-defined types, and numbers of any length.

use workload::{Overrides, Replication, Workload};

const PEOPLE: &str = "
name: people
types:
  phone: { country: smallint, number: text }
  address: { street: text, zip: varint, phones: 'list<frozen<phone>>' }
tables:
  people:
    columns:
      id: bigint
      home: { type: 'frozen<address>', generate: { fields: { street: { text: { size: 30 } } } } }
      work: address
      tags: { type: 'set<int>', generate: { elements: { size: 5, of: { sequence: {} } } } }
      scores:
        type: 'map<text, decimal>'
        generate: { elements: { size: { min: 0, max: 3 }, keys: { text: { size: 12 } } } }
      steps: 'list<frozen<map<int, boolean>>>'
      balance: { type: decimal, generate: { uniform: { min: -5, max: 5 } } }
      pause: duration
    primary_key: [id]
    partitions: 1000
statements:
  write: { insert: people, pick: sequence }
";

fn load(yaml: &str) -> Workload {
    Workload::load(yaml, &Overrides::default()).unwrap_or_else(|error| panic!("{error}"))
}

fn value(workload: &Workload, row: u64, column: &str) -> workload::Value {
    let values = workload.expected("people", row).expect("a table");
    values.into_iter().find(|value| value.column == column).expect("a column")
}

/// Splits bytes into [value]s.
fn parts(mut bytes: &[u8]) -> Vec<&[u8]> {
    let mut all = Vec::new();
    while let Some((size, rest)) = bytes.split_first_chunk::<4>() {
        let (part, rest) = rest.split_at(u32::from_be_bytes(*size) as usize);
        all.push(part);
        bytes = rest;
    }
    all
}

#[test]
fn types_are_created_before_the_tables_that_use_them() {
    let schema = load(PEOPLE).schema(&"1".parse::<Replication>().unwrap());
    assert_eq!(schema[1], "CREATE TYPE IF NOT EXISTS metronome.phone (country smallint, number text)");
    let address = "CREATE TYPE IF NOT EXISTS metronome.address (street text, zip varint, phones list<frozen<phone>>)";
    assert_eq!(schema[2], address);
    assert!(schema[3].contains("home frozen<address>, work address, tags set<int>, scores map<text, decimal>"));
}

#[test]
fn values_have_as_many_parts_as_their_type_says() {
    let workload = load(PEOPLE);
    for row in 0..1_000 {
        let tags = value(&workload, row, "tags").bytes;
        let elements = parts(&tags[4..]);
        assert_eq!((tags[..4].to_vec(), elements.len()), (5_u32.to_be_bytes().to_vec(), 5));
        let first = i32::try_from(row).unwrap() * 5;
        let expected: Vec<[u8; 4]> = (first..first + 5).map(i32::to_be_bytes).collect();
        assert_eq!(elements, expected, "a sequence goes on from row to row");
        let home = value(&workload, row, "home").bytes;
        let fields = parts(&home);
        assert_eq!((fields.len(), fields[0].len()), (3, 30));
        let phones = u32::from_be_bytes(*fields[2].first_chunk().unwrap()) as usize;
        assert!((1..=4).contains(&phones) && parts(&fields[2][4..]).len() == phones);
        let scores = value(&workload, row, "scores").bytes;
        let entries = u32::from_be_bytes(*scores.first_chunk().unwrap()) as usize;
        assert!(entries <= 3 && parts(&scores[4..]).len() == 2 * entries, "{entries}");
        let balance = value(&workload, row, "balance").bytes;
        assert_eq!(balance[..4], [0, 0, 0, 2], "in hundredths");
        assert!(balance.len() <= 6, "at most 500 hundredths: {balance:?}");
    }
}

#[test]
fn parts_of_a_type_are_drawn_apart() {
    let workload = load(PEOPLE);
    let home = value(&workload, 7, "home").bytes;
    assert_ne!(parts(&home)[1], parts(&value(&workload, 7, "work").bytes)[1]);
    assert_eq!(value(&workload, 7, "home"), value(&load(PEOPLE), 7, "home"), "and always the same");
}

#[test]
fn a_set_in_the_servers_order_is_the_set_that_was_written() {
    let tags = value(&load(PEOPLE), 3, "tags");
    let mut elements = parts(&tags.bytes[4..]);
    elements.reverse();
    let whole = |elements: &[&[u8]]| {
        let sized = elements.iter().flat_map(|element| [&4_u32.to_be_bytes(), *element].concat());
        (elements.len() as u32).to_be_bytes().into_iter().chain(sized).collect::<Vec<u8>>()
    };
    assert!(tags.is(Some(&whole(&elements))));
    assert!(!tags.is(Some(&whole(&elements[1..]))), "an element is missing");
    assert!(!tags.is(None));
    let workload = load(PEOPLE);
    let empty = (0..100).map(|row| value(&workload, row, "scores")).find(|scores| scores.bytes == [0; 4]);
    assert!(empty.expect("a quarter of them").is(None), "a map without entries is no cell");
}

#[test]
fn an_invalid_composite_is_refused_with_its_field() {
    let cases = [
        ("set<int>", "set<integer>", "tables.people.columns.tags.type", "unknown type 'integer'"),
        ("set<int>", "set<int, int>", "tables.people.columns.tags.type", "is not a type; write list<t>"),
        ("set<int>", "int", "tables.people.columns.tags.generate", "it fills list, set and map"),
        (
            "fields: { street",
            "fields: { road",
            "tables.people.columns.home.generate",
            "'road' is not a field of address",
        ),
        ("size: 5, of", "size: 5, keys", "tables.people.columns.tags.generate", "keys are for maps"),
        ("zip: varint", "zip: person", "types.address.zip", "unknown type 'person'"),
        ("size: 5,", "size: 70000,", "tables.people.columns.tags.generate", "at most 65535"),
    ];
    for (from, to, field, says) in cases {
        assert!(PEOPLE.contains(from), "{from}");
        let refused = Workload::load(&PEOPLE.replacen(from, to, 1), &Overrides::default()).expect_err(to);
        let text = refused.to_string();
        assert!(refused.field == field && text.contains(says), "{to}: {text}");
    }
}
