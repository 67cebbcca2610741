package io.ringmaster.core.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Samples;
import io.ringmaster.model.spec.ClientTlsMode;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.model.spec.TlsMode;
import io.ringmaster.model.spec.TlsSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class TlsFieldTest {
    private static ParsedSpec parse(String more) {
        return ClusterSpecs.parse(ClusterSpecsTest.RIDES + "\n" + more + "\n");
    }

    @Test
    void it_is_read_and_written_back() {
        ParsedSpec parsed = parse("tls: {internode: required}");
        assertThat(parsed.problems()).isEmpty();
        var spec = ((ParsedSpec.Valid) parsed).spec();
        assertThat(spec.tls()).isEqualTo(TlsSpec.INTERNODE);
        assertThat(spec.requiresInternodeTls()).isTrue();
        assertThat(((ParsedSpec.Valid) ClusterSpecs.parse(SpecText.write(spec))).spec())
                .isEqualTo(spec);
    }

    @ParameterizedTest
    @EnumSource
    void the_mode_for_clients_is_read_and_written_back(ClientTlsMode mode) {
        ParsedSpec parsed = parse("tls: {internode: required, clients: " + TlsField.name(mode) + "}");
        assertThat(parsed.problems()).isEmpty();
        var spec = ((ParsedSpec.Valid) parsed).spec();
        assertThat(spec.tls()).isEqualTo(new TlsSpec(TlsMode.REQUIRED, mode));
        assertThat(((ParsedSpec.Valid) ClusterSpecs.parse(SpecText.write(spec))).spec())
                .isEqualTo(spec);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "tls: {}", "tls: {internode: off}", "tls: {clients: off}"})
    void off_is_the_same_as_nothing(String more) {
        assertThat(((ParsedSpec.Valid) parse(more)).spec().tls()).isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "tls: {internode: maybe} | tls.internode",
                "tls: {internode: optional} | tls.internode",
                "tls: {internode: required, clients: maybe} | tls.clients",
                "tls: {clients: required} | tls.clients",
                "tls: {internode: off, clients: optional} | tls.clients",
                "tls: {servers: required} | tls.servers",
            })
    void problems_are_reported_by_field(String more, String field) {
        assertThat(parse(more).problems()).singleElement().satisfies(p -> assertThat(p.field())
                .isEqualTo(field));
    }

    @ParameterizedTest
    @CsvSource({
        "internode_authenticator: none, tls.internode",
        "client_encryption_options: {enabled: true}, tls.clients",
    })
    void cassandra_cannot_be_given_certificates_of_its_own_at_the_same_time(String parameter, String field) {
        String others = ClusterSpecsTest.RIDES.replaceFirst("(?m)^cassandra_yaml:.*(\\n  .*)*\\n?", "")
                + "\ncassandra_yaml: {" + parameter + "}\n";
        assertThat(ClusterSpecs.parse(others + "tls: {internode: required, clients: required}\n")
                        .problems())
                .singleElement()
                .satisfies(p -> assertThat(p.field()).isEqualTo(field));
        boolean allowed = field.equals("tls.clients");
        assertThat(ClusterSpecs.parse(others + "tls: {internode: required}\n").problems())
                .hasSize(allowed ? 0 : 1);
    }

    @Test
    void it_can_change_only_before_nodes_have_machines() {
        ClusterSpec plain = Samples.spec("rides", 3, 2);
        SpecDiff diff = SpecDiff.between(plain, plain.with(TlsSpec.INTERNODE));
        assertThat(diff.unsupported(SpecDiff.Progress.DECLARED)).isEmpty();
        assertThat(diff.unsupported(SpecDiff.Progress.PLACED)).hasSize(1);
        assertThat(diff.unsupported(SpecDiff.Progress.CREATED)).singleElement().satisfies(p -> assertThat(p.field())
                .isEqualTo("tls.internode"));
        SpecDiff clients = SpecDiff.between(
                plain.with(TlsSpec.INTERNODE), plain.with(new TlsSpec(TlsMode.REQUIRED, ClientTlsMode.REQUIRED)));
        assertThat(clients.unsupported(SpecDiff.Progress.DECLARED)).isEmpty();
        assertThat(clients.unsupported(SpecDiff.Progress.PLACED))
                .singleElement()
                .satisfies(p -> assertThat(p.field()).isEqualTo("tls.clients"));
    }

    @Test
    void a_created_cluster_with_tls_gets_another_datacenter() {
        ClusterSpec one = Samples.spec("rides", 3, 2).with(TlsSpec.INTERNODE);
        ClusterSpec two = Samples.spec("rides", 3, 2, 3, 2).with(TlsSpec.INTERNODE);
        assertThat(SpecDiff.between(one, two).unsupported(SpecDiff.Progress.CREATED))
                .isEmpty();
        assertThat(SpecDiff.between(one, two).unsupported(SpecDiff.Progress.PLACED))
                .isEmpty();
    }
}
