package io.ringmaster.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import io.ringmaster.json.Json;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.fleet.SharingEstimate;
import io.ringmaster.model.fleet.SharingEstimate.Misfit;
import io.ringmaster.wire.api.SharingAsk;
import io.ringmaster.wire.client.RefusedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** {@code machines/what-if} on a datacenter of three machines in three racks. */
class WhatIfTest {
    private static final Path EXAMPLES = Path.of("../../examples/mix");
    private static final String RIDES = Specs.of("rides", "dc1: {nodes: 3}");

    @TempDir
    static Path directory;

    private static TestDatacenter datacenter;

    @BeforeAll
    static void start() throws IOException {
        datacenter = TestDatacenter.alone(directory);
    }

    @AfterAll
    static void stop() {
        datacenter.close();
    }

    private static SharingAsk.Entry entry(String spec, int count) {
        return new SharingAsk.Entry("a.yaml", spec, count, null);
    }

    private static List<SharingEstimate> ask(List<SharingAsk.Entry> clusters, String... machines) {
        return datacenter
                .client()
                .whatIf(new SharingAsk(clusters, List.of(machines), null))
                .items();
    }

    private static List<String> refusal(SharingAsk ask) {
        return catchThrowableOfType(
                        RefusedException.class, () -> datacenter.client().whatIf(ask))
                .problems()
                .stream()
                .map(Problem::line)
                .toList();
    }

    @Test
    void without_a_shape_the_machines_are_those_of_the_pool_and_nothing_is_changed() {
        var machines = datacenter.client().machines();
        SharingEstimate estimate = ask(List.of(entry(RIDES, 2))).get(0);
        assertThat(estimate.datacenter()).isEqualTo(datacenter.name());
        assertThat(estimate.shapes()).singleElement().satisfies(s -> assertThat(s.cpuMillis())
                .isEqualTo(machines.items().get(0).machine().cpuMillis()));
        assertThat(estimate.racks()).hasSize(3);
        assertThat(estimate.clusters()).isEqualTo(2);
        assertThat(estimate.apart().machines()).isEqualTo(6);
        assertThat(datacenter.client().machines()).isEqualTo(machines);
        assertThat(datacenter.client().clusters().items()).isEmpty();
    }

    @Test
    void a_datacenter_that_does_not_exist_yet_is_estimated_from_a_shape() {
        String both = Specs.of("rides", "dc1: {nodes: 3}", "dc7: {nodes: 2}");
        List<SharingEstimate> estimates = ask(List.of(entry(both, 2)), "cpus=8,memory=32GiB,disk=1TiB");
        assertThat(estimates).extracting(e -> e.datacenter().value()).containsExactly("dc1", "dc7");
        assertThat(estimates).extracting(e -> e.shared().machines()).containsExactly(3, 2);
        assertThat(refusal(new SharingAsk(List.of(entry(both, 2)), List.of(), null)))
                .containsExactly("datacenters.dc7: no machine of 'dc7' is known -> give the shapes of its machines, "
                        + "such as cpus=32,memory=128GiB,disk=2TiB");
    }

    @Test
    void a_cluster_that_fits_no_machine_is_named_with_its_field() {
        SharingEstimate estimate = ask(
                        List.of(entry(RIDES, 1), entry(RIDES.replace("cpus: 1", "cpus: 90"), 1)),
                        "cpus=8,memory=32GiB,disk=1TiB")
                .get(0);
        assertThat(estimate.clusters()).isEqualTo(1);
        assertThat(estimate.misfits()).extracting(m -> m.cluster().value()).containsExactly("rides-2");
        assertThat(estimate.misfits())
                .flatExtracting(Misfit::problems)
                .extracting(Problem::line)
                .containsExactly("node.cpus: 90.0 fits no machine of dc1, allowed: up to 8.0");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "cpus=8,memory=32GiB|machines[0]: disk: missing",
                "cpus=8,memory=32GB,disk=1TiB|machines[0]: memory: '32GB' must be a size in KiB",
                "cpus=0,memory=32GiB,disk=1TiB|machines[0]: cpus: '0' must be a number of cores",
                "cpus=8,cpus=9,memory=32GiB,disk=1TiB|machines[0]: cpus: given twice",
                "cores=8,memory=32GiB,disk=1TiB|machines[0]: 'cores=8' is not part of a machine's shape",
                "cpus=8,memory=32GiB,disk=1TiB,ports=9000|machines[0]: ports: '9000' must be a range",
                "cpus=8,memory=32GiB,disk=1TiB,ports=9000-70000|machines[0]: port range 9000-70000"
            })
    void an_invalid_shape_is_refused_with_the_name_of_its_part(String shape, String refusal) {
        assertThat(refusal(new SharingAsk(List.of(entry(RIDES, 1)), List.of(shape), null)))
                .singleElement()
                .asString()
                .startsWith(refusal);
    }

    @Test
    void every_invalid_part_of_a_mix_is_refused_with_its_field() {
        assertThat(refusal(new SharingAsk(List.of(), List.of(), null)))
                .containsExactly("clusters: is empty, allowed: one or more clusters");
        assertThat(refusal(new SharingAsk(List.of(entry(RIDES, 0)), List.of(), null)))
                .containsExactly("clusters[0].count: 0 must be in 1-500");
        assertThat(refusal(new SharingAsk(List.of(entry(RIDES, 400)), List.of(), null)))
                .containsExactly("clusters: 1200 nodes in total, allowed: up to 500");
        assertThat(refusal(new SharingAsk(List.of(entry(RIDES, 1)), List.of(), 0)))
                .containsExactly("racks: 0 must be in 1-100");
        assertThat(refusal(new SharingAsk(
                        List.of(entry("cluster: bad\nnodes: 3\n", 1), new SharingAsk.Entry(null, null, null, 0)),
                        List.of(),
                        null)))
                .anyMatch(p -> p.startsWith("a.yaml: nodes: "))
                .anyMatch(p -> p.startsWith("a.yaml: node: "))
                .anyMatch(p -> p.startsWith("clusters[1].nodes: 0 must be in 1-500"))
                .anyMatch(p -> p.startsWith("clusters[1]: "));
    }

    /** The figures in the documentation of the examples. */
    @ParameterizedTest
    @CsvSource({
        "'cpus=16,memory=64GiB,disk=2000GiB', 9, 90",
        "'cpus=4,memory=16GiB,disk=400GiB', 33, 90",
        "'cpus=2,memory=8GiB,disk=200GiB', 75, 90"
    })
    void the_mix_of_the_examples_saves_as_documented(String shape, int shared, int apart) throws IOException {
        SharingEstimate estimate = ask(exampleMix(), shape).get(0);
        assertThat(estimate.shared().machines()).isEqualTo(shared);
        assertThat(estimate.apart().machines()).isEqualTo(apart);
    }

    private static List<SharingAsk.Entry> exampleMix() throws IOException {
        Object yaml =
                new Load(LoadSettings.builder().build()).loadFromString(Files.readString(EXAMPLES.resolve("mix.yaml")));
        JsonNode mix = Json.mapper().valueToTree(yaml);
        List<SharingAsk.Entry> entries = new ArrayList<>();
        for (JsonNode e : mix.get("clusters")) {
            String file = e.get("spec").asText();
            entries.add(new SharingAsk.Entry(
                    file,
                    Files.readString(EXAMPLES.resolve(file)),
                    null,
                    e.get("nodes").asInt()));
        }
        return entries;
    }
}
