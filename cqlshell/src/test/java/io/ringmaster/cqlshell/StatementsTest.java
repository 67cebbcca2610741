package io.ringmaster.cqlshell;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.ringmaster.cli.screen.Line;
import java.util.List;
import org.junit.jupiter.api.Test;

class StatementsTest {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    @Test
    void statements_end_at_semicolons() {
        var cut = Statements.cut("SELECT 1;\nSELECT\n 2; SELECT 3");
        assertThat(cut.complete()).containsExactly("SELECT 1", "SELECT\n 2");
        assertThat(cut.rest()).isEqualTo(" SELECT 3");
        assertThat(cut.all()).endsWith("SELECT 3");
    }

    @Test
    void semicolons_in_quotes_and_comments_end_nothing() {
        assertThat(Statements.cut("INSERT ('a;b', \"c;d\", $$e;f$$) -- g;h\n;/* i; */ SELECT 1; // j;")
                        .all())
                .containsExactly("INSERT ('a;b', \"c;d\", $$e;f$$)", "SELECT 1");
    }

    @Test
    void a_doubled_quote_does_not_end_its_text() {
        assertThat(Statements.cut("INSERT ('it''s; fine'); x;").complete()).hasSize(2);
    }

    @Test
    void a_statement_with_an_open_quote_is_not_complete() {
        assertThat(Statements.cut("INSERT ('a;").rest()).isNotBlank();
    }

    @Test
    void commands_of_the_shell_end_with_their_line() {
        assertThat(Statements.cut("CONSISTENCY ONE\nSELECT 1;\nexit").all())
                .containsExactly("CONSISTENCY ONE", "SELECT 1", "exit");
    }

    @Test
    void blank_text_has_no_statements() {
        assertThat(Statements.cut(" ;; \n-- x").all()).isEmpty();
    }

    @Test
    void rows_are_printed_as_table_json_and_csv() {
        var rows = new Rows(
                List.of("id", "city"),
                List.of(List.of("1", "Pune"), List.of("2", "null"), List.of("3", "a,\"b\"")),
                List.of(
                        List.<JsonNode>of(JSON.numberNode(1), JSON.textNode("Pune")),
                        List.<JsonNode>of(JSON.numberNode(2), JSON.nullNode()),
                        List.<JsonNode>of(JSON.numberNode(3), JSON.textNode("a,\"b\""))));
        assertThat(rows.table(40))
                .extracting(Line::plain)
                .containsExactly("id  city", "1   Pune", "2   null", "3   a,\"b\"");
        assertThat(rows.jsonLines()).startsWith("{\"id\":1,\"city\":\"Pune\"}", "{\"id\":2,\"city\":null}");
        assertThat(rows.csv(true)).containsExactly("id,city", "1,Pune", "2,", "3,\"a,\"\"b\"\"\"");
        assertThat(rows.expanded(1)).extracting(Line::plain).startsWith("@ row 1", "id    1", "city  Pune", "@ row 2");
    }
}
