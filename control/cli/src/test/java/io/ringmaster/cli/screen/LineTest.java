package io.ringmaster.cli.screen;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class LineTest {
    @Test
    void a_line_that_is_too_long_ends_in_dots() {
        assertThat(Line.of("rides/dc1").and(Style.BAD, "/node-0").cut(12).plain())
                .isEqualTo("rides/dc1/..");
    }

    @Test
    void control_characters_of_foreign_text_never_reach_the_terminal() {
        assertThat(Line.of(Style.BAD, "a\u001b[2Jb\nc").coloured()).isEqualTo("\u001b[31ma [2Jb c\u001b[0m");
    }

    @Test
    void wide_characters_count_two_columns() {
        assertThat(Line.of("東京").width()).isEqualTo(4);
        assertThat(Line.of("東京都庁").cut(5).plain()).isEqualTo("東..");
    }

    @Test
    void a_table_cuts_its_widest_column_first() {
        TextTable table = new TextTable()
                .column("NODE")
                .text("WHY")
                .text("WHO")
                .row("node-0", "a very long reason indeed", "root");
        assertThat(table.lines(26))
                .extracting(Line::plain)
                .containsExactly("NODE    WHY           WHO", "node-0  a very lon..  root");
    }

    @Test
    void figures_have_units() {
        assertThat(Formats.bytes(0)).isEqualTo("0 B");
        assertThat(Formats.bytes(268_435_456)).isEqualTo("256 MiB");
        assertThat(Formats.bytes(1_610_612_736L)).isEqualTo("1.5 GiB");
        assertThat(Formats.elapsed(Duration.ofMillis(18_700))).isEqualTo("18.7 s");
        assertThat(Formats.elapsed(Duration.ofSeconds(125))).isEqualTo("2m05s");
        assertThat(Formats.elapsed(Duration.ofHours(98))).isEqualTo("4d02h");
        assertThat(Formats.seconds(Duration.ofMillis(120))).isEqualTo(".1");
        assertThat(Formats.seconds(Duration.ofMillis(3_440))).isEqualTo("3.4");
        assertThat(Formats.clock(Duration.ofSeconds(3_723))).isEqualTo("1:02:03");
        assertThat(Formats.count(1, "process")).isEqualTo("1 process");
        assertThat(Formats.count(2, "process")).isEqualTo("2 processes");
    }
}
