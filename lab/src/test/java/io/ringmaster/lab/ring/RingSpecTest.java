package io.ringmaster.lab.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class RingSpecTest {
    @Test
    void tokens_divide_the_range_evenly() {
        RingSpec four = RingSpec.of(2, 2);
        assertThat(List.of(four.token(0), four.token(1), four.token(2), four.token(3)))
                .containsExactly("-9223372036854775808", "-4611686018427387904", "0", "4611686018427387904");
        assertThat(RingSpec.of(1, 1).token(0)).isEqualTo("-9223372036854775808");
    }

    @Test
    void neighbours_are_in_different_racks() {
        RingSpec six = RingSpec.of(3, 2);
        assertThat(List.of(six.rack(0), six.rack(1), six.rack(2), six.rack(3))).containsExactly("r1", "r2", "r3", "r1");
    }

    @Test
    void a_ring_has_one_to_six_nodes() {
        assertThatThrownBy(() -> RingSpec.of(7, 1)).hasMessageContaining("1 to 6 nodes");
        assertThatThrownBy(() -> RingSpec.of(0, 3)).hasMessageContaining("1 to 6 nodes");
    }

    @Test
    void settings_are_added_and_replaced() {
        RingSpec spec = RingSpec.of(3, 1).setting("a", "1").setting("b", "2").setting("a", "3");
        assertThat(spec.settings()).containsEntry("a", "3").containsEntry("b", "2");
        assertThat(spec.heap(1024).heapMiB()).isEqualTo(1024);
        assertThat(spec.heap(1024).settings()).hasSize(2);
    }

    @Test
    void jdk_11_starts_with_cms_and_without_the_security_manager_of_17() {
        Jvm cms = new Jvm(Path.of("/jdk"), 11, JvmCollector.CMS, List.of("-Xlog:gc"));
        assertThat(cms.command(1024))
                .startsWith("/jdk/bin/java")
                .contains("-XX:+UseConcMarkSweepGC", "-Xms1024m", "-Xmx1024m")
                .doesNotContain("-Djava.security.manager=allow", "-XX:+UseG1GC")
                .endsWith("-Xlog:gc");
        assertThat(cms.text()).isEqualTo("CMS on 11");
    }

    @Test
    void jdk_17_and_21_allow_the_security_manager_that_cassandra_installs() {
        assertThat(new Jvm(Path.of("/jdk"), 17, JvmCollector.SERIAL, List.of()).command(512))
                .contains("-Djava.security.manager=allow", "-XX:+UseSerialGC");
        assertThat(new Jvm(Path.of("/jdk"), 21, JvmCollector.GENERATIONAL_ZGC, List.of()).command(512))
                .contains("-Djava.security.manager=allow", "-XX:+ZGenerational");
    }

    @Test
    void the_new_generation_of_cms_is_that_of_cassandras_script() {
        assertThat(JvmCollector.CMS.options(1024, 2)).contains("-Xmn200m");
        assertThat(JvmCollector.CMS.options(1024, 8)).contains("-Xmn256m");
        assertThat(JvmCollector.G1.options(1024, 2)).noneMatch(option -> option.startsWith("-Xmn"));
    }

    @Test
    void a_collector_that_a_jdk_has_not_is_refused() {
        assertThatThrownBy(() -> new Jvm(Path.of("/jdk"), 17, JvmCollector.CMS, List.of()))
                .hasMessage("JDK 17 has no CMS");
        assertThat(JvmCollector.GENERATIONAL_ZGC.isIn(17)).isFalse();
        assertThat(JvmCollector.GENERATIONAL_ZGC.isIn(21)).isTrue();
    }
}
