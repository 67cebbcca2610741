package io.ringmaster.core.assess;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Restores;
import io.ringmaster.core.Samples;
import io.ringmaster.core.Scene;
import io.ringmaster.core.decide.Answer;
import io.ringmaster.core.decide.ApplyResult;
import io.ringmaster.core.decide.Decision;
import io.ringmaster.core.decide.SubmitSpec;
import io.ringmaster.core.view.View;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.RecordKey;
import io.ringmaster.model.record.RestoreOrigin;
import io.ringmaster.model.spec.ClusterSpec;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RestoreFitTest {
    private static final RestoreOrigin ORIGIN = Restores.origin(List.of("a", "b", "c"));

    private static Answer<Decision<ApplyResult>> apply(View view, ClusterSpec spec, @Nullable RestoreOrigin origin) {
        return new SubmitSpec(view, "", spec, null, "anna", false, origin).answer();
    }

    private static View undeclared() {
        return Scene.declared(Samples.spec("rides", 3, 2))
                .view()
                .with(List.of(
                        new Change.Remove(new RecordKey.OfCluster(Scene.RIDES)),
                        new Change.Remove(new RecordKey.OfSpec(Scene.RIDES, 1))));
    }

    private static List<String> refused(ClusterSpec spec, @Nullable RestoreOrigin origin) {
        return refused(undeclared(), spec, origin);
    }

    private static List<String> refused(View view, ClusterSpec spec, @Nullable RestoreOrigin origin) {
        return apply(view, spec, origin) instanceof Answer.Refused<?> refused
                ? refused.problems().stream().map(Problem::line).toList()
                : List.of();
    }

    private static RestoreOrigin with(RestoreOrigin origin, String cassandra, boolean rocksDB) {
        return new RestoreOrigin(cassandra, origin.cutAt(), rocksDB, origin.datacenters(), origin.nodes());
    }

    @Test
    void a_backup_of_the_same_shape_fits() {
        assertThat(refused(Restores.spec(3, 2), ORIGIN)).isEmpty();
        assertThat(refused(Restores.spec(3, 2), with(ORIGIN, "5.0.8", false))).isEmpty();
        ClusterSpec engine = Restores.spec(3, 2)
                .withCassandraYaml(Map.of(
                        "memtable",
                        Map.of(
                                "configurations",
                                Map.of("rocksdb", Map.of("class_name", "io.ringmaster.engine.RocksDB")))));
        assertThat(refused(engine, with(ORIGIN, "5.0.9", true))).isEmpty();
    }

    @Test
    void all_reasons_are_reported_at_once_with_the_next_step() {
        RestoreOrigin wide = Restores.origin(List.of("a", "b", "c", "a"));
        RestoreOrigin large = new RestoreOrigin(
                "5.0.10",
                wide.cutAt(),
                true,
                wide.datacenters(),
                wide.nodes().stream()
                        .map(n -> new RestoreOrigin.Node(n.node(), n.rack(), n.tokens(), 4 * Samples.GIB, "", false))
                        .toList());
        assertThat(String.join("\n", refused(Restores.spec(3, 2), large)))
                .contains(
                        "datacenters.dc1.nodes: 3 nodes: the backup has 4 there",
                        "node.disk: 4 GiB is too small: the largest node of the backup has 4 GiB",
                        "raise it to 6GiB",
                        "cassandra: 5.0.9 may not read the files of 5.0.10",
                        "engine.rocksdb: is missing",
                        "add engine: {rocksdb: {}}");
    }

    private static List<String> refusedLogin(Object authenticator) {
        return refused(Restores.spec(3, 2).withCassandraYaml(Map.of("authenticator", authenticator)), ORIGIN);
    }

    /** Cassandra would make its default superuser, because no role is restored. */
    @Test
    void a_login_of_its_own_without_roles_is_refused_in_every_spelling() {
        assertThat(refusedLogin("PasswordAuthenticator"))
                .containsExactly("cassandra_yaml.authenticator: without roles would let everybody in as cassandra with"
                        + " the password cassandra, because no role is restored -> declare roles, and leave out the"
                        + " parameters that they set: ringmaster restore start old --as rides --backup"
                        + " 20260101T100000Z-3f9c --from main --print-spec prints the spec to edit");
        for (Object own : List.of(
                "org.apache.cassandra.auth.PasswordAuthenticator",
                "com.example.AllowAllAuthenticator",
                Map.of("class_name", "PasswordAuthenticator"),
                List.of(Map.of("class_name", "PasswordAuthenticator")),
                List.of("PasswordAuthenticator"))) {
            assertThat(refusedLogin(own)).as(own.toString()).hasSize(1);
        }
    }

    @Test
    void a_spec_that_lets_all_in_or_declares_roles_is_not_refused() {
        for (Object open : List.of(
                "AllowAllAuthenticator",
                "org.apache.cassandra.auth.AllowAllAuthenticator",
                Map.of("class_name", "AllowAllAuthenticator"),
                List.of(Map.of("class_name", "AllowAllAuthenticator")))) {
            assertThat(refusedLogin(open)).as(open.toString()).isEmpty();
        }
        ClusterSpec declared = Restores.spec(3, 2)
                .withCassandraYaml(Map.of("authenticator", Map.of("class_name", "PasswordAuthenticator")))
                .withRoles(List.of());
        assertThat(refused(declared, ORIGIN)).isEmpty();
    }

    @Test
    void other_datacenters_and_racks_that_do_not_map_are_refused() {
        RestoreOrigin both = Restores.origin(List.of("a", "b", "c"), List.of("a", "b", "c"));
        assertThat(refused(Restores.spec(3, 2), both))
                .singleElement()
                .asString()
                .contains("datacenters: dc1: the backup is of dc1, dc2, in this order");
        assertThat(refused(Restores.spec(3, 2), Restores.origin(List.of("a", "a", "b"))))
                .singleElement()
                .asString()
                .contains("the racks of the backup have 2, 1 nodes, the machines here give racks of 1, 1, 1");
    }

    @Test
    void a_spec_whose_backup_was_not_read_is_never_deployed_as_an_empty_cluster() {
        assertThat(refused(Restores.spec(3, 2), null))
                .singleElement()
                .asString()
                .contains("restore: was not resolved");
    }

    @Test
    void the_backup_of_a_cluster_cannot_change_before_it_is_created() {
        View view = Scene.placed(Restores.spec(3, 2)).origin(ORIGIN).view();
        assertThat(refused(view, Samples.spec("rides", 3, 2), null))
                .singleElement()
                .asString()
                .contains("restore: cannot change before rides is created");
        View empty = Scene.placed(Samples.spec("rides", 3, 2)).view();
        assertThat(refused(empty, Restores.spec(3, 2), ORIGIN)).hasSize(1);
    }

    @Test
    void the_first_version_after_the_creation_has_no_backup() {
        View view = Scene.live(Restores.spec(3, 2)).origin(ORIGIN).settled().view();
        for (ClusterSpec next : List.of(Restores.spec(3, 2), Samples.spec("rides", 3, 2))) {
            var answer = apply(view, next.withCassandraYaml(Map.of("concurrent_reads", 8)), ORIGIN);
            assertThat(answer).isInstanceOf(Answer.Accepted.class);
            assertThat(((Answer.Accepted<Decision<ApplyResult>>) answer)
                            .value()
                            .result()
                            .spec()
                            .origin())
                    .isNull();
        }
        View plain = Scene.live(Samples.spec("rides", 3, 2)).settled().view();
        assertThat(refused(plain, Restores.spec(3, 2), ORIGIN))
                .singleElement()
                .asString()
                .contains("restore: cannot change from (none)", "under another name");
    }
}
