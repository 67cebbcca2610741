//! CQL, values and routing keys of requests.

use std::collections::BTreeSet;

use workload::{Consistency, CqlType, Overrides, Replication, Workload};

fn load(yaml: &str) -> Workload {
    Workload::load(yaml, &Overrides::default()).unwrap_or_else(|error| panic!("{error}"))
}

/// The values of an encoded request.
fn values(encoded: &[u8]) -> Vec<Vec<u8>> {
    let count = u16::from_be_bytes(encoded[..2].try_into().unwrap());
    let mut rest = &encoded[2..];
    let all = (0..count)
        .map(|_| {
            let size = i32::from_be_bytes(rest[..4].try_into().unwrap()) as usize;
            let (value, after) = rest[4..].split_at(size);
            rest = after;
            value.to_vec()
        })
        .collect();
    assert!(rest.is_empty(), "{} bytes follow the last value", rest.len());
    all
}

fn encode(workload: &Workload, statement: &str, row: u64) -> Vec<Vec<u8>> {
    let statement = workload.statements().iter().find(|s| s.name == statement).unwrap();
    let mut out = b"before".to_vec();
    statement.encode(row, &mut out);
    assert!(out.starts_with(b"before"));
    values(&out[6..])
}

const TIMELINE: &str = "
name: timeline
keyspace: app
tables:
  posts:
    columns:
      tenant: int
      user: { type: text, generate: { text: { size: 12, prefix: u } } }
      at: timestamp
      body: { type: text, generate: { text: { size: { min: 5, max: 50 } } } }
      likes: { type: int, generate: { zipf: { max: 100, exponent: 1.2 } } }
      banner: { type: blob, static: true }
    primary_key: [[tenant, user], at]
    partitions: 10
    clustering_rows: 12
    ttl: 7d
    with: \"compaction = {'class': 'UnifiedCompactionStrategy'}\"
statements:
  post: { insert: posts, ttl: 1h, pick: sequence }
  page: { select: posts, by: partition, limit: 20, page_size: 5, pick: written, consistency: one }
  like: { update: posts, columns: [likes], if: exists }
  claim: { insert: posts, if: not exists, serial_consistency: serial }
  drop: { delete: posts }
  many: { insert: posts, batch: { rows: 3 } }
  spread: { insert: posts, batch: { rows: 2, within: row, kind: logged } }
  own:
    table: posts
    cql: \"SELECT body FROM {table} WHERE tenant = :tenant AND user = :user AND at > :since AND body != ':no'\"
    bind: { since: { type: timestamp, generate: { time: { step: 1s, start: 2020-01-01T00:00:00Z } } } }
";

fn cql<'a>(workload: &'a Workload, name: &str) -> &'a str {
    &workload.statements().iter().find(|statement| statement.name == name).unwrap().cql
}

#[test]
fn statements_become_cql() {
    let workload = load(TIMELINE);
    let insert = "INSERT INTO app.posts (tenant, user, at, body, likes, banner) VALUES (?, ?, ?, ?, ?, ?)";
    let key = "tenant = ? AND user = ?";
    let expected = [
        ("post", format!("{insert} USING TTL 3600")),
        ("page", format!("SELECT tenant, user, at, body, likes, banner FROM app.posts WHERE {key} LIMIT 20")),
        ("like", format!("UPDATE app.posts SET likes = ? WHERE {key} AND at = ? IF exists")),
        ("claim", format!("{insert} IF not exists")),
        ("drop", format!("DELETE FROM app.posts WHERE {key} AND at = ?")),
        ("many", format!("BEGIN UNLOGGED BATCH {insert}; {insert}; {insert}; APPLY BATCH")),
        ("spread", format!("BEGIN BATCH {insert}; {insert}; APPLY BATCH")),
        ("own", format!("SELECT body FROM app.posts WHERE {key} AND at > ? AND body != ':no'")),
    ];
    for (name, text) in expected {
        assert_eq!(cql(&workload, name), text);
    }
    let [post, page, like, ..] = workload.statements() else { panic!() };
    assert_eq!((post.ttl_s, page.ttl_s, like.ttl_s), (Some(3_600), None, Some(604_800)));
}

#[test]
fn tables_become_cql() {
    let schema = load(TIMELINE).schema(&"dc1:3,dc2:2".parse::<Replication>().unwrap());
    assert_eq!(
        schema,
        [
            "CREATE KEYSPACE IF NOT EXISTS app \
             WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': 3, 'dc2': 2}",
            "CREATE TABLE IF NOT EXISTS app.posts (tenant int, user text, at timestamp, body text, likes int, \
             banner blob static, PRIMARY KEY ((tenant, user), at)) \
             WITH default_time_to_live = 604800 AND compaction = {'class': 'UnifiedCompactionStrategy'}",
        ]
    );
}

#[test]
fn consistency_is_per_statement_and_the_command_line_wins() {
    let workload = load(TIMELINE);
    let [post, page, like, claim, ..] = workload.statements() else { panic!() };
    assert_eq!((post.consistency, page.consistency), (Consistency::LocalQuorum, Consistency::One));
    assert_eq!((post.serial_consistency, like.serial_consistency), (None, Some(Consistency::LocalSerial)));
    assert_eq!(claim.serial_consistency, Some(Consistency::Serial));
    let overrides = Overrides { consistency: Some(Consistency::All), ..Overrides::default() };
    let workload = Workload::load(TIMELINE, &overrides).unwrap();
    assert!(workload.statements().iter().all(|statement| statement.consistency == Consistency::All));
}

#[test]
fn what_is_written_is_what_is_expected_later() {
    let workload = load(TIMELINE);
    for row in 0..120 {
        let expected: Vec<_> = workload.expected("posts", row).unwrap().into_iter().map(|value| value.bytes).collect();
        assert_eq!(encode(&workload, "post", row), expected);
    }
}

#[test]
fn a_row_never_depends_on_the_rows_made_before_it() {
    let workload = load(TIMELINE);
    let alone = encode(&workload, "post", 77);
    (0..77).for_each(|row| drop(encode(&workload, "post", row)));
    assert_eq!(encode(&workload, "post", 77), alone);
    assert_eq!(encode(&load(TIMELINE), "post", 77), alone);
    let other_seed = Workload::load(TIMELINE, &Overrides { seed: Some(1), ..Overrides::default() }).unwrap();
    assert_ne!(encode(&other_seed, "post", 77), alone);
}

#[test]
fn every_row_has_a_primary_key_of_its_own() {
    let workload = load(TIMELINE);
    let keys: BTreeSet<_> = (0..120).map(|row| encode(&workload, "post", row)[..3].to_vec()).collect();
    assert_eq!(keys.len(), 120);
    let partitions: BTreeSet<_> = keys.iter().map(|key| key[..2].to_vec()).collect();
    assert_eq!(partitions.len(), 10);
}

#[test]
fn a_static_column_is_the_same_in_every_row_of_its_partition() {
    let workload = load(TIMELINE);
    assert_eq!(encode(&workload, "post", 3)[5], encode(&workload, "post", 13)[5]);
    assert_ne!(encode(&workload, "post", 3)[5], encode(&workload, "post", 4)[5]);
}

#[test]
fn the_routing_key_of_several_columns_has_their_sizes_and_zero_bytes() {
    let workload = load(TIMELINE);
    let mut key = Vec::new();
    assert!(workload.statements()[0].partition_key(7, &mut key));
    let values = encode(&workload, "post", 7);
    let expected: Vec<u8> = values[..2]
        .iter()
        .flat_map(|value| [&(value.len() as u16).to_be_bytes(), value.as_slice(), &[0]].concat())
        .collect();
    assert_eq!(key, expected);
    assert_eq!(workload.statements()[0].partition_key, [0, 1]);
}

#[test]
fn the_routing_key_of_one_column_is_its_value() {
    let workload = Workload::load(workload::built_in("emp").unwrap(), &Overrides::default()).unwrap();
    let mut key = Vec::new();
    assert!(workload.statements()[0].partition_key(7, &mut key));
    assert_eq!(key, b"T0000000007");
}

#[test]
fn a_batch_holds_rows_of_one_partition_by_default() {
    let workload = load(TIMELINE);
    let find = |name: &str| workload.statements().iter().find(|statement| statement.name == name).unwrap();
    let (many, spread) = (find("many"), find("spread"));
    assert_eq!((many.row_count(), spread.row_count()), (40, 60));
    assert_eq!(many.rows(13).collect::<Vec<_>>(), [33, 43, 53]);
    assert_eq!(spread.rows(13).collect::<Vec<_>>(), [26, 27]);
    let rows: BTreeSet<_> = (0..40).flat_map(|row| many.rows(row)).collect();
    assert_eq!(rows.len(), 120);
    let expected: Vec<_> = [33, 43, 53].into_iter().flat_map(|row| encode(&workload, "post", row)).collect();
    assert_eq!(encode(&workload, "many", 13), expected);
    assert_eq!(many.bound.len(), 18);
    assert!(many.partition_key(13, &mut Vec::new()) && !spread.partition_key(13, &mut Vec::new()));
}

#[test]
fn written_reads_only_what_earlier_requests_wrote() {
    let yaml = "
name: log
tables:
  entries: { columns: { id: bigint, body: text }, primary_key: [id], partitions: 1000000 }
statements:
  write: { insert: entries, pick: sequence, weight: 30% }
  read: { select: entries, pick: PICK, weight: rest }
";
    for pick in ["written", "latest"] {
        let workload = load(&yaml.replace("PICK", pick));
        let (mut written, mut reads) = (BTreeSet::new(), Vec::new());
        for operation in 0..100_000 {
            let (statement, row) = workload.pick(operation);
            match workload.statements()[statement].is_write {
                true => assert!(written.insert(row)),
                false if operation >= 1024 => {
                    assert!(written.contains(&row), "{pick}: request {operation} reads row {row}");
                    reads.push((operation, row));
                }
                false => {}
            }
        }
        let young = |(operation, row): &&(u64, u64)| row * 10 > operation * 3 * 9 / 10;
        let share = reads.iter().filter(young).count() as f64 / reads.len() as f64;
        match pick {
            "written" => assert!((0.07..0.11).contains(&share), "{share} of reads in the newest tenth"),
            _ => assert!(share > 0.5, "{share} of reads in the newest tenth"),
        }
    }
}

#[test]
fn versions_overwrite_a_row_with_other_values() {
    let yaml = "
name: last
tables: { places: { columns: { id: uuid, x: int }, primary_key: [id], partitions: 50, versions: 4 } }
statements: { write: { insert: places, pick: sequence } }
";
    let workload = load(yaml);
    assert_eq!(workload.row_count("places"), Some(200));
    let (first, second) = (encode(&workload, "write", 7), encode(&workload, "write", 57));
    assert_eq!(first[0], second[0]);
    assert_ne!(first[1], second[1]);
    assert_eq!(workload.key_number("places", 57), Some(7));
}

#[test]
fn read_back_asks_for_the_whole_row_by_its_key() {
    let read = load(TIMELINE).read_back("posts", Consistency::All).unwrap();
    assert_eq!(
        read.cql,
        "SELECT tenant, user, at, body, likes, banner FROM app.posts WHERE tenant = ? AND user = ? AND at = ?"
    );
    assert_eq!(read.consistency, Consistency::All);
    let mut out = Vec::new();
    read.encode(77, &mut out);
    assert_eq!(values(&out), encode(&load(TIMELINE), "post", 77)[..3]);
}

#[test]
fn shares_are_exact_and_in_an_order_that_follows_no_core_or_connection() {
    let workload = Workload::load(workload::built_in("emp").unwrap(), &Overrides::default()).unwrap();
    for lanes in [2, 3, 4, 8, 64] {
        for lane in 0..lanes {
            let all: Vec<_> = (lane..40_960).step_by(lanes as usize).map(|n| workload.pick(n).0).collect();
            let reads = all.iter().filter(|statement| **statement == 0).count() as f64 / all.len() as f64;
            assert!((0.4..0.6).contains(&reads), "lane {lane} of {lanes} has {reads} reads");
        }
    }
}

#[test]
fn each_type_has_its_width_on_the_wire() {
    let types = [
        ("tinyint", 1),
        ("smallint", 2),
        ("int", 4),
        ("bigint", 8),
        ("float", 4),
        ("double", 8),
        ("boolean", 1),
        ("uuid", 16),
        ("timeuuid", 16),
        ("timestamp", 8),
        ("date", 4),
        ("time", 8),
        ("inet", 4),
        ("blob", 16),
        ("text", 16),
        ("ascii", 16),
        ("varchar", 16),
        ("'vector<float, 5>'", 20),
    ];
    for (cql_type, width) in types {
        let yaml = format!(
            "name: t\ntables: {{ t: {{ columns: {{ k: int, v: {cql_type} }}, primary_key: [k], partitions: 9 }} }}\n\
             statements: {{ w: {{ insert: t }} }}"
        );
        let workload = load(&yaml);
        for row in 0..9 {
            assert_eq!(encode(&workload, "w", row)[1].len(), width, "{cql_type}");
        }
    }
}

#[test]
fn uuids_carry_version_and_variant() {
    let yaml = "
name: t
tables: { t: { columns: { k: uuid, v: timeuuid }, primary_key: [k], partitions: 100 } }
statements: { w: { insert: t } }
";
    let workload = load(yaml);
    for row in 0..100 {
        let values = encode(&workload, "w", row);
        assert_eq!((values[0][6] >> 4, values[0][8] >> 6), (4, 0b10));
        assert_eq!((values[1][6] >> 4, values[1][8] >> 6), (1, 0b10));
    }
    assert_eq!(workload.statements()[0].bound[1].cql_type, CqlType::Timeuuid);
}

#[test]
fn counters_are_added_to() {
    let yaml = "
name: t
tables: { hits: { columns: { page: int, hits: counter }, primary_key: [page], partitions: 9 } }
statements: { hit: { update: hits } }
";
    let workload = load(yaml);
    assert_eq!(cql(&workload, "hit"), "UPDATE metronome.hits SET hits = hits + ? WHERE page = ?");
    assert_eq!(encode(&workload, "hit", 4), [1i64.to_be_bytes().to_vec(), 4i32.to_be_bytes().to_vec()]);
}
