package io.ringmaster.pool.mesos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.ports.ConfigSection;
import io.ringmaster.ports.FakeAuthorities;
import io.ringmaster.ports.FakePoolRecords;
import io.ringmaster.ports.Pool;
import io.ringmaster.ports.PoolContext;
import io.ringmaster.ports.PoolFactory;
import io.ringmaster.ports.SampleRecords;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class MesosPoolFactoryTest {
    private final Map<String, Object> fields = new HashMap<>(Map.of(
            "masters",
            List.of("m1.example.com:5050"),
            "role",
            "ringmaster",
            "dist",
            "/opt/ringmaster",
            "jars",
            "/opt/cassandra/{cassandra}/lib",
            "java",
            "/usr/bin/java"));

    private List<String> errors() {
        List<String> errors = new ArrayList<>();
        configure(errors);
        return errors;
    }

    private Supplier<Pool> configure(List<String> errors) {
        ConfigSection root = ConfigSection.root(Map.of("pool", Map.of("mesos", fields)), Path.of("/etc"), errors);
        return PoolFactory.all()
                .get("mesos")
                .configure(
                        new PoolContext(
                                SampleRecords.DC1,
                                Path.of("/tmp"),
                                null,
                                new FakeAuthorities(SampleRecords.DC1),
                                false),
                        root.section("pool").section("mesos"));
    }

    @Test
    void the_required_fields_are_enough() {
        assertThat(errors()).isEmpty();
        fields.putAll(Map.of(
                "user", "cassandra", "principal", "ringmaster", "secret_file", "secret", "rack_attribute", "rack"));
        fields.put("executor_token_file", "/etc/ringmaster/executor-token");
        assertThat(errors()).isEmpty();
    }

    @Test
    void every_error_names_its_field() {
        fields.putAll(Map.of("masters", List.of("m1"), "role", "*", "java", "java", "secret_file", "s"));
        fields.remove("dist");
        fields.put("framework", "x");
        assertThat(errors())
                .anySatisfy(e -> assertThat(e).startsWith("pool.mesos.masters[0]: 'm1' must be"))
                .anySatisfy(e -> assertThat(e).startsWith("pool.mesos.role: '*' must be"))
                .anySatisfy(e -> assertThat(e).startsWith("pool.mesos.java: 'java' must be"))
                .anySatisfy(e -> assertThat(e).startsWith("pool.mesos.dist: missing"))
                .anySatisfy(e -> assertThat(e).contains("pool.mesos.secret_file: holds the secret of a principal"))
                .anySatisfy(e -> assertThat(e).startsWith("pool.mesos.framework: unknown field"))
                .hasSize(6);
        fields.remove("masters");
        assertThat(errors()).anySatisfy(e -> assertThat(e).startsWith("pool.mesos.masters: missing"));
    }

    @Test
    void a_token_file_that_cannot_be_read_is_named() {
        fields.put("executor_token_file", "/nowhere/token");
        Pool pool = configure(new ArrayList<>()).get();
        assertThatThrownBy(() -> pool.start(fact -> {}, new FakePoolRecords()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("pool.mesos.executor_token_file: /nowhere/token cannot be read");
    }

    @Test
    void a_master_that_does_not_answer_is_named() {
        fields.put("masters", List.of("127.0.0.1:1"));
        Pool pool = configure(new ArrayList<>()).get();
        assertThatThrownBy(() -> pool.start(fact -> {}, new FakePoolRecords()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("pool.mesos.masters")
                .hasMessageContaining("127.0.0.1:1");
    }
}
