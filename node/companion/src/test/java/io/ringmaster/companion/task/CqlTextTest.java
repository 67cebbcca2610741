package io.ringmaster.companion.task;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CqlTextTest {
    private static final String TABLE =
            """
            CREATE TABLE trips.place (
                id int PRIMARY KEY,
                "Old;Name" text
            ) WITH ID = 5a1c395e-b41f-11e5-9f22-ba0be0483c18
                AND comment = 'ID = 0; gc_grace_seconds = 5, it''s "free"'
                AND gc_grace_seconds = 864000;
            ALTER TABLE trips.place DROP "Old;Name" USING TIMESTAMP 17;
            ALTER TABLE trips.place ADD "Old;Name" text;""";

    @Test
    void statements_end_at_semicolons_outside_of_quotes() {
        assertThat(CqlText.split(TABLE)).hasSize(3).last().isEqualTo("ALTER TABLE trips.place ADD \"Old;Name\" text");
        assertThat(CqlText.split("CREATE FUNCTION a.f(i int)\n AS $$ return 'x'; $$;"))
                .hasSize(1);
        assertThat(CqlText.split(" \n")).isEmpty();
    }

    @Test
    void the_grace_is_raised_and_text_in_a_comment_is_not() {
        assertThat(CqlText.withGrace(TABLE, 1000))
                .contains("AND gc_grace_seconds = 865000;")
                .contains("; gc_grace_seconds = 5, ");
        assertThat(CqlText.withGrace("... WITH gc_grace_seconds = 2147483000", 86400))
                .endsWith("gc_grace_seconds = 2147483647");
    }

    @Test
    void a_table_without_grace_keeps_none() {
        assertThat(CqlText.withGrace("... AND gc_grace_seconds = 0 AND x = 1", 1000))
                .isEqualTo("... AND gc_grace_seconds = 0 AND x = 1");
        assertThat(CqlText.withGrace("CREATE TYPE a.b (c int)", 1000)).isEqualTo("CREATE TYPE a.b (c int)");
    }

    @Test
    void every_element_is_made_only_unless_it_is_there() {
        for (String start : new String[] {
            "CREATE KEYSPACE",
            "CREATE TYPE",
            "CREATE FUNCTION",
            "CREATE AGGREGATE",
            "CREATE TABLE",
            "CREATE INDEX",
            "CREATE CUSTOM INDEX",
            "CREATE MATERIALIZED VIEW",
            "ALTER TABLE a.b ADD"
        }) {
            assertThat(CqlText.unlessThere(start + " \"X\" y")).isEqualTo(start + " IF NOT EXISTS \"X\" y");
        }
        assertThat(CqlText.unlessThere("ALTER TABLE a.b DROP c USING TIMESTAMP 1"))
                .isEqualTo("ALTER TABLE a.b DROP c USING TIMESTAMP 1");
    }

    @Test
    void ids_and_dropped_columns_are_found() {
        assertThat(CqlText.id(TABLE)).hasValue("5a1c395e-b41f-11e5-9f22-ba0be0483c18");
        assertThat(CqlText.id("CREATE TYPE a.b (\"ID = 5a1c395e-b41f-11e5-9f22-ba0be0483c18\" int)"))
                .isEmpty();
        assertThat(CqlText.droppedColumn(CqlText.split(TABLE).get(1))).hasValue("Old;Name");
        assertThat(CqlText.droppedColumn("ALTER TABLE a.b DROP c USING TIMESTAMP 1"))
                .hasValue("c");
        assertThat(CqlText.droppedColumn("ALTER TABLE a.b ADD c int")).isEmpty();
    }
}
