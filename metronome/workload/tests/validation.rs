//! An invalid workload is refused with the path of the invalid field.

use workload::{Overrides, Workload, WorkloadError};

const GOOD: &str = "
name: sensors
parameters:
  sensors: 1000
keyspace: plant
tables:
  readings:
    columns:
      sensor: { type: bigint, generate: { sequence: {} } }
      at: { type: timestamp, generate: { time: { step: 1s } } }
      value: { type: double, generate: { gaussian: { mean: 20, stddev: 5 } } }
      state: { type: text, generate: { one_of: [ok, broken] } }
    primary_key: [sensor, at]
    partitions: $sensors
    clustering_rows: 100
statements:
  write:
    insert: readings
    weight: 90%
  read:
    select: readings
    weight: rest
    by: partition
    limit: 10
";

fn refused(from: &str, to: &str) -> WorkloadError {
    assert!(GOOD.contains(from), "the test changes '{from}', which is not there");
    Workload::load(&GOOD.replacen(from, to, 1), &Overrides::default()).expect_err("must be refused")
}

#[test]
fn the_workload_of_these_tests_is_valid() {
    Workload::load(GOOD, &Overrides::default()).unwrap();
}

#[test]
fn errors_name_the_field_and_say_what_would_be_right() {
    let cases = [
        ("type: double", "type: duble", "tables.readings.columns.value.type", "unknown type 'duble'; use one of ascii"),
        ("mean: 20, stddev: 5", "mean: 20, stddev: -5", "tables.readings.columns.value.generate", "stddev must be"),
        ("one_of: [ok, broken]", "one_of: []", "tables.readings.columns.state.generate", "at least one value"),
        (
            "one_of: [ok, broken]",
            "uniform: { min: 1, max: 2 }",
            "tables.readings.columns.state.generate",
            "uniform cannot fill a column of type text",
        ),
        (
            "sequence: {}",
            "uniform: { min: 1, max: 2 }",
            "tables.readings.columns.sensor.generate",
            "does not give 1000 different values",
        ),
        (
            "sequence: {}",
            "sequence: { step: 0 }",
            "tables.readings.columns.sensor.generate",
            "does not give 1000 different values",
        ),
        (
            "time: { step: 1s }",
            "time: { step: 1s, start: yesterday }",
            "tables.readings.columns.at.generate",
            "start 'yesterday' is not a time",
        ),
        ("[sensor, at]", "[sensor, when]", "tables.readings.primary_key", "'when' is not one of the table's columns"),
        ("[sensor, at]", "[sensor, [at, value]]", "tables.readings.primary_key", "only the first entry"),
        (
            "type: bigint, generate: { sequence: {} }",
            "type: blob, generate: { bytes: { size: 65530 } }",
            "tables.readings.columns.at.generate",
            "makes the primary key 65538 bytes",
        ),
        ("[sensor, at]", "[sensor, sensor]", "tables.readings.primary_key", "is in it twice"),
        ("[sensor, at]", "[sensor]", "tables.readings.clustering_rows", "no clustering column"),
        ("clustering_rows: 100", "clustering_rows: 0", "tables.readings.clustering_rows", "at least 1"),
        ("clustering_rows: 100", "versions: 100", "tables.readings.versions", "without clustering columns"),
        ("insert: readings", "insert: reading", "statements.write", "there is no table 'reading'; use one of readings"),
        ("insert: readings", "insert: readings\n    select: readings", "statements.write", "exactly one of"),
        ("weight: 90%", "weight: 190%", "", "'190%' is not a weight"),
        ("weight: 90%", "weight: 9", "statements.write.weight", "write a percentage or rest"),
        ("weight: rest", "weight: 5%", "statements", "add up to 95%, not 100%"),
        (
            "weight: rest",
            "weight: rest\n    consistency: LOCAL",
            "statements.read.consistency",
            "unknown consistency level 'LOCAL'",
        ),
        ("weight: rest", "weight: rest\n    ttl: 5s", "statements.read", "are for writes"),
        (
            "weight: rest",
            "weight: rest\n    columns: [speed]",
            "statements.read.columns",
            "'speed' is not a column of readings",
        ),
        (
            "weight: rest",
            "weight: rest\n    pick: { zipf: { exponent: -1 } }",
            "statements.read.pick",
            "zipf needs an exponent",
        ),
        (
            "weight: 90%",
            "weight: 90%\n    batch: { rows: 101 }",
            "statements.write.batch.rows",
            "from 1 to 100, not 101",
        ),
        ("weight: 90%", "weight: 90%\n    pick: written", "statements.write.pick", "no other statement inserts rows"),
        (
            "weight: 90%",
            "weight: 90%\n    serial_consistency: ONE",
            "statements.write.serial_consistency",
            "SERIAL or LOCAL_SERIAL",
        ),
        ("insert: readings", "cql: SELECT * FROM readings", "statements.write.table", "needs the table"),
        (
            "insert: readings",
            "table: readings\n    cql: SELECT * FROM readings",
            "statements.write.cql",
            "write {table}",
        ),
        (
            "insert: readings",
            "table: readings\n    cql: 'SELECT * FROM {table} WHERE sensor = :sensr'",
            "statements.write",
            "':sensr' is neither a column of readings (sensor, at, value, state)",
        ),
        ("keyspace: plant", "keyspace: Plant; DROP", "keyspace", "use a to z"),
        (
            "partitions: $sensors",
            "partitions: $sensor",
            "$sensor",
            "line 14 uses it, but `parameters:` has no 'sensor'",
        ),
        ("weight: 90%", "wieght: 90%", "", "unknown field `wieght`"),
        ("stddev: 5", "stdev: 5", "", "stdev"),
        ("partitions: $sensors", "partitions: many", "", "partitions"),
    ];
    for (from, to, field, message) in cases {
        let error = refused(from, to);
        assert_eq!(error.field, field, "for {to}: {error}");
        assert!(error.to_string().contains(message), "for {to}: {error}");
    }
}

#[test]
fn a_batch_beyond_the_protocol_is_refused() {
    let huge = GOOD.replace("clustering_rows: 100", "clustering_rows: 4000000000");
    let batch = |yaml: &str, rows: u64| {
        let yaml = yaml.replace("weight: 90%", &format!("weight: 90%\n    batch: {{ rows: {rows} }}"));
        Workload::load(&yaml, &Overrides::default()).err().map(|error| error.to_string()).unwrap_or_default()
    };
    assert!(batch(&huge, 4_000_000_000).contains("binds 16000000000 values; the protocol allows 65535"));
    let wide = huge.replace("one_of: [ok, broken]", "text: { size: 16777216 }");
    assert!(batch(&wide, 16).contains("the protocol allows 268435456"));
    assert_eq!(batch(&wide, 15), "");
}

#[test]
fn yaml_that_does_not_parse_is_shown_with_its_line() {
    let error = refused("weight: 90%", "wieght: 90%").to_string();
    assert!(error.contains("line 19"), "{error}");
}

#[test]
fn a_parameter_the_workload_does_not_have_is_refused() {
    let overrides = Overrides { parameters: [("sensor".into(), "5".into())].into(), ..Overrides::default() };
    let error = Workload::load(GOOD, &overrides).unwrap_err();
    assert_eq!(error.field, "parameters.sensor");
    assert!(error.message.contains("it has sensors"), "{error}");
}

#[test]
fn a_parameter_cannot_smuggle_in_other_yaml() {
    for value in ["5\ntables: {}", "5, x: {a", "", "#", "'"] {
        let overrides = Overrides { parameters: [("sensors".into(), value.into())].into(), ..Overrides::default() };
        assert_eq!(Workload::load(GOOD, &overrides).unwrap_err().field, "parameters.sensors", "{value:?}");
    }
}

#[test]
fn an_override_changes_the_parameter_and_shows_in_the_workload() {
    let overrides = Overrides { parameters: [("sensors".into(), "5".into())].into(), ..Overrides::default() };
    let workload = Workload::load(GOOD, &overrides).unwrap();
    assert_eq!(workload.row_count("readings"), Some(500));
    assert_eq!(workload.parameters()["sensors"], "5");
}
