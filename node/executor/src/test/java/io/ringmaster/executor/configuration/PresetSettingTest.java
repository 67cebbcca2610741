package io.ringmaster.executor.configuration;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.executor.TestTargets;
import io.ringmaster.executor.configuration.PresetSetting.Place;
import io.ringmaster.model.node.NodeTarget;
import io.ringmaster.model.spec.JvmSpec.Collector;
import io.ringmaster.model.spec.NodeResources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class PresetSettingTest {
    private static final Path PAGE = Path.of("../../docs/spec.md");
    private static final String START = "<!-- presets -->\n";

    /** {@code -Daccept=true} rewrites the table of the page. */
    @Test
    void thePageShowsTheTableThatTheExecutorFollows() throws IOException {
        String page = Files.readString(PAGE);
        int from = page.indexOf(START) + START.length();
        int to = page.indexOf("<!-- end -->", from);
        if (Boolean.getBoolean("accept")) {
            Files.writeString(PAGE, page.substring(0, from) + PresetSetting.table() + page.substring(to));
        }
        assertThat(Files.readString(PAGE)).contains(START + PresetSetting.table() + "<!-- end -->");
    }

    @Test
    void bothPresetsRunWithAssertions() {
        for (TestTargets target :
                new TestTargets[] {TestTargets.first(), TestTargets.first().production()}) {
            assertThat(PresetSetting.words(Place.JVM, target.target())).startsWith("-ea", "-da:net.openhft...");
        }
    }

    @Test
    void aSmallHeapTakesNoMebibyteForTheFirstRowOfEachTable() {
        TestTargets production = TestTargets.first().production();
        String unslabbed = "memtable_allocation_type=unslabbed_heap_buffers";
        assertThat(PresetSetting.words(Place.CASSANDRA_YAML, production.target()))
                .contains(unslabbed);
        NodeTarget large = production
                .with("resources", new NodeResources(1000, 2L << 30, 1L << 30, 1L << 30))
                .target();
        assertThat(PresetSetting.words(Place.CASSANDRA_YAML, large)).doesNotContain(unslabbed);
    }

    @Test
    void numbersOfTheHeapAreFilledIn() {
        assertThat(PresetSetting.words(Place.JVM, TestTargets.first().target()))
                .contains("-Xms256m", "-Xmn102m", "-XX:MaxDirectMemorySize=128m")
                .noneMatch(word -> word.contains("<"));
        NodeTarget large = TestTargets.first()
                .with("resources", new NodeResources(1000, 2L << 30, 1L << 30, 1L << 30))
                .target();
        assertThat(PresetSetting.words(Place.JVM, large))
                .as("no more than a development node has beside its heap")
                .contains("-Xms1024m", "-XX:MaxDirectMemorySize=256m");
        NodeTarget g1 = TestTargets.first().options(Collector.G1).target();
        assertThat(PresetSetting.words(Place.JVM, g1)).noneMatch(word -> word.startsWith("-Xm"));
    }
}
