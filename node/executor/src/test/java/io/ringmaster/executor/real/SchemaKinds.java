package io.ringmaster.executor.real;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * One of each kind of schema element, in two keyspaces: {@code stock} has its tables in sstables, {@code engine} in the
 * RocksDB engine. A backup is to bring back all of it.
 */
final class SchemaKinds {
    private static final List<String> KEYSPACES = List.of("stock", "engine");

    /** {@code KS.} is replaced by the keyspace, {@code ENGINE} by the option of its tables. */
    private static final List<String> STATEMENTS = List.of(
            "CREATE KEYSPACE KS WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': 1}",
            // tables without a row, one of them after it had some
            "CREATE TABLE KS.empty (k int PRIMARY KEY, v text) WITH ENGINE",
            "CREATE TABLE KS.emptied (k int PRIMARY KEY, v text) WITH ENGINE",
            "CREATE INDEX emptied_v ON KS.emptied (v)",
            "INSERT INTO KS.emptied (k, v) VALUES (1, 'a')",
            "TRUNCATE KS.emptied",
            "CREATE TABLE KS.zero (k int PRIMARY KEY, v text) WITH ENGINE AND gc_grace_seconds = 0"
                    + " AND default_time_to_live = 8640000",
            "INSERT INTO KS.zero (k, v) VALUES (1, 'for 100 days')",
            // columns that were dropped, and added again
            "CREATE TABLE KS.plain (k int, c int, v text, gone text, back int, PRIMARY KEY (k, c)) WITH ENGINE",
            "INSERT INTO KS.plain (k, c, v, gone, back) VALUES (1, 1, 'a', 'x', 1) USING TIMESTAMP 1700000000000000",
            "INSERT INTO KS.plain (k, c, v) VALUES (1, 2, 'b') USING TTL 1000000",
            "DELETE FROM KS.plain WHERE k = 2",
            "ALTER TABLE KS.plain DROP gone",
            "ALTER TABLE KS.plain DROP back",
            "ALTER TABLE KS.plain ADD back int",
            "INSERT INTO KS.plain (k, c, back) VALUES (3, 1, 7)",
            // types
            "CREATE TYPE KS.street (name text, number int)",
            "CREATE TYPE KS.\"Address\" (street frozen<street>, \"ü\" text)",
            "CREATE TABLE KS.mixed (k int, c int, s text static, l list<int>, m map<text, int>, st set<text>,"
                    + " f frozen<map<text, list<int>>>, n map<text, frozen<set<int>>>, a frozen<\"Address\">, u street,"
                    + " t tuple<int, text, frozen<list<int>>>, e vector<float, 3>, PRIMARY KEY (k, c)) WITH ENGINE"
                    + " AND CLUSTERING ORDER BY (c DESC)",
            "INSERT INTO KS.mixed (k, c, s, l, m, st, f, n, a, u, t, e) VALUES (1, 1, 'all', [3, 1], {'x': 1},"
                    + " {'p', 'q'}, {'y': [1, 2]}, {'z': {4}}, {street: {name: 'A', number: 2}, \"ü\": 'ö'},"
                    + " {name: 'B', number: 3}, (1, 'two', [3]), [0.5, 1.5, -2])",
            "INSERT INTO KS.mixed (k, s) VALUES (2, 'alone')",
            "UPDATE KS.mixed SET l = l + [4], m['w'] = 5, u.number = 9 WHERE k = 1 AND c = 1",
            "CREATE TABLE KS.counts (k int PRIMARY KEY, n counter) WITH ENGINE",
            "UPDATE KS.counts SET n = n + 5 WHERE k = 1",
            "UPDATE KS.counts SET n = n + 2 WHERE k = 1",
            // functions
            "CREATE FUNCTION KS.plus(a int, b int) CALLED ON NULL INPUT RETURNS int LANGUAGE java AS $$return"
                    + " (a == null ? 0 : a) + (b == null ? 0 : b); /* ; */$$",
            "CREATE AGGREGATE KS.total(int) SFUNC plus STYPE int INITCOND 0",
            // indexes and views, on one table and on each alone
            "CREATE TABLE KS.attached (k int PRIMARY KEY, city text, tags map<text, int>) WITH ENGINE",
            "CREATE INDEX attached_city ON KS.attached (city) USING 'sai'",
            "CREATE INDEX attached_tags ON KS.attached (ENTRIES(tags)) USING 'sai'",
            "INSERT INTO KS.attached (k, city, tags) VALUES (1, 'bonn', {'a': 1})",
            "INSERT INTO KS.attached (k, city) VALUES (2, 'ulm')",
            "CREATE TABLE KS.legacy (k int PRIMARY KEY, city text) WITH ENGINE",
            "CREATE INDEX legacy_city ON KS.legacy (city)",
            "CREATE MATERIALIZED VIEW KS.by_city AS SELECT * FROM KS.legacy WHERE city IS NOT NULL AND k IS NOT NULL"
                    + " PRIMARY KEY (city, k) WITH ENGINE",
            "INSERT INTO KS.legacy (k, city) VALUES (1, 'bonn')",
            "INSERT INTO KS.legacy (k, city) VALUES (2, 'bonn')",
            // names that CQL must quote, and options
            "CREATE TABLE KS.\"DATA\" (\"Order\" int PRIMARY KEY, \"ü\" text, \"select\" text) WITH ENGINE"
                    + " AND comment = 'it''s; gc_grace_seconds = 5'"
                    + " AND compaction = {'class': 'UnifiedCompactionStrategy'}",
            "CREATE INDEX \"Order_Index\" ON KS.\"DATA\" (\"ü\")",
            "CREATE MATERIALIZED VIEW KS.\"By\" AS SELECT \"Order\", \"ü\" FROM KS.\"DATA\" WHERE \"Order\" IS NOT NULL"
                    + " AND \"ü\" IS NOT NULL PRIMARY KEY (\"ü\", \"Order\")",
            "INSERT INTO KS.\"DATA\" (\"Order\", \"ü\", \"select\") VALUES (1, 'V', 's')");

    private static final List<String> QUERIES = List.of(
            "SELECT * FROM KS.empty",
            "SELECT * FROM KS.emptied",
            "SELECT * FROM KS.zero",
            "SELECT * FROM KS.emptied WHERE v = 'a'",
            "SELECT k, c, v, back, writetime(v) FROM KS.plain",
            "SELECT KS.total(back) FROM KS.plain",
            "SELECT * FROM KS.mixed",
            "SELECT * FROM KS.counts",
            "SELECT * FROM KS.attached WHERE city = 'bonn'",
            "SELECT * FROM KS.attached WHERE tags['a'] = 1",
            "SELECT * FROM KS.legacy WHERE city = 'bonn'",
            "SELECT * FROM KS.by_city WHERE city = 'bonn'",
            "SELECT * FROM KS.\"DATA\"",
            "SELECT * FROM KS.\"DATA\" WHERE \"ü\" = 'V'",
            "SELECT * FROM KS.\"By\" WHERE \"ü\" = 'V'",
            "SELECT * FROM system_schema.dropped_columns WHERE keyspace_name = 'KS'",
            "DESCRIBE KEYSPACE KS WITH INTERNALS");

    private static final List<String> LATER = List.of(
            "UPDATE KS.counts SET n = n + 1 WHERE k = 1",
            "INSERT INTO KS.attached (k, city) VALUES (3, 'ulm')",
            "INSERT INTO KS.emptied (k, v) VALUES (3, 'a')",
            "UPDATE KS.legacy SET city = 'ulm' WHERE k = 1");

    private static final List<String> LATER_QUERIES = List.of(
            "SELECT n FROM KS.counts",
            "SELECT k FROM KS.attached WHERE city = 'ulm'",
            "SELECT k FROM KS.emptied WHERE v = 'a'",
            "SELECT k FROM KS.by_city WHERE city = 'ulm'",
            "SELECT k FROM KS.by_city WHERE city = 'bonn'",
            "SELECT k FROM KS.legacy WHERE city = 'bonn'");

    private static final List<List<String>> LATER_ROWS = List.of(
            List.of("[n:8]"),
            List.of("[k:2]", "[k:3]"),
            List.of("[k:3]"),
            List.of("[k:1]"),
            List.of("[k:2]"),
            List.of("[k:2]"));

    private SchemaKinds() {}

    /** Makes the schema, and the rows in it. */
    static List<String> statements() {
        return Stream.concat(
                        inBoth(STATEMENTS),
                        // DESCRIBE leaves it out
                        Stream.of("CREATE TRIGGER log ON stock.plain USING '" + SilentTrigger.class.getName() + "'"))
                .toList();
    }

    /** What the backup must bring back: rows, what indexes and views find, the text of the schema. */
    static List<String> queries() {
        return inBoth(QUERIES).toList();
    }

    static List<String> later() {
        return inBoth(LATER).toList();
    }

    static List<String> laterQueries() {
        return inBoth(LATER_QUERIES).toList();
    }

    static List<List<String>> laterRows() {
        List<List<String>> rows = new ArrayList<>(LATER_ROWS);
        rows.addAll(LATER_ROWS);
        return rows;
    }

    private static Stream<String> inBoth(List<String> statements) {
        return KEYSPACES.stream().flatMap(keyspace -> statements.stream().map(of(keyspace)));
    }

    private static Function<String, String> of(String keyspace) {
        String memtable = keyspace.equals("engine") ? "memtable = 'rocksdb'" : "memtable = 'default'";
        return statement -> statement.replace("ENGINE", memtable).replaceAll("\\bKS\\b", keyspace);
    }
}
