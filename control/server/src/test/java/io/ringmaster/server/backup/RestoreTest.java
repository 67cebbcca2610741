package io.ringmaster.server.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.ringmaster.backup.repository.BackupId;
import io.ringmaster.backup.repository.BlobName;
import io.ringmaster.backup.repository.BlobReference;
import io.ringmaster.backup.repository.ClusterManifest;
import io.ringmaster.backup.repository.Cut;
import io.ringmaster.backup.repository.NodeName;
import io.ringmaster.backup.repository.RepositoryKeys;
import io.ringmaster.backup.repository.Sha256;
import io.ringmaster.backup.store.FolderStore;
import io.ringmaster.json.Json;
import io.ringmaster.model.access.ClusterPattern;
import io.ringmaster.model.access.Role;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.RackName;
import io.ringmaster.model.plan.Phase;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.StepState;
import io.ringmaster.server.Specs;
import io.ringmaster.server.TestDatacenter;
import io.ringmaster.wire.api.TokenAsk;
import io.ringmaster.wire.client.ChangeOptions;
import io.ringmaster.wire.client.RefusedException;
import io.ringmaster.wire.client.RingmasterClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Specs that name a backup, at a real server with a folder as a location. */
class RestoreTest {
    private static final DatacenterName DC1 = new DatacenterName("dc1");
    private static final RepositoryKeys KEYS = new RepositoryKeys(new ClusterName("rides"), "dc1-1-3f9c");
    private static final BackupId BACKUP = new BackupId("20261124T040000Z-3f9c");
    private static final BackupId IN_ROCKSDB = new BackupId("20261124T050000Z-3f9c");
    private static final BackupId DAMAGED = new BackupId("20261124T060000Z-3f9c");

    private static final BackupId GUARDED = new BackupId("20261124T070000Z-3f9c");
    private static final String OPEN = Specs.of("rides", "dc1: {nodes: 3, seeds: 2}");

    @TempDir
    private static Path folder;

    private static TestDatacenter dc1;

    @BeforeAll
    static void start() throws IOException {
        dc1 = TestDatacenter.alone(folder);
        Path locations = Files.createDirectories(dc1.directory().resolve("locations"));
        Files.writeString(locations.resolve("main.yaml"), "url: file://" + store() + "\n");
        FolderStore.mark(store());
        backup(BACKUP, "CREATE TABLE trips.place (id int PRIMARY KEY)");
        backup(IN_ROCKSDB, "CREATE TABLE trips.place (id int PRIMARY KEY) WITH memtable = 'rocksdb'");
        backup(DAMAGED, "");
        backup(GUARDED, "", OPEN + "roles: {app: {login: true, password: generated}}\n");
        put(KEYS.ok(DAMAGED), "0".repeat(64).getBytes(StandardCharsets.UTF_8));
    }

    @AfterAll
    static void stop() {
        dc1.close();
    }

    private static Path store() throws IOException {
        return Files.createDirectories(folder.resolve("store"));
    }

    private static void put(String key, byte[] content) throws IOException {
        Path file = store().resolve(key);
        Files.createDirectories(file.getParent());
        Files.write(file, content);
    }

    private static void backup(BackupId id, String statement) throws IOException {
        backup(id, statement, OPEN);
    }

    private static void backup(BackupId id, String statement, String spec) throws IOException {
        byte[] schema = Json.bytes(List.of(statement));
        BlobName blob = new BlobName(Sha256.of(schema), 0);
        put(KEYS.blob(blob), schema);
        List<ClusterManifest.Member> nodes = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            nodes.add(new ClusterManifest.Member(
                    new NodeName(DC1, i),
                    "host-" + i,
                    new RackName("rack" + (3 - i)),
                    List.of(Integer.toString(100 * i)),
                    "5.0.9",
                    false,
                    1L << 30,
                    200,
                    0,
                    "hash-" + i));
        }
        Instant at = Instant.parse("2026-11-24T04:00:00Z");
        byte[] manifest = Json.bytes(new ClusterManifest(
                1,
                id,
                KEYS.cluster(),
                "dc1-1-3f9c",
                new Cut(at, at),
                List.of(DC1),
                nodes,
                spec,
                new BlobReference(blob, schema.length),
                3L << 30,
                0));
        put(KEYS.manifest(id), manifest);
        put(KEYS.ok(id), Sha256.of(manifest).getBytes(StandardCharsets.UTF_8));
    }

    private static String spec(String cluster, String location, BackupId backup) {
        return Specs.of(cluster, "dc1: {nodes: 3, seeds: 2}")
                + "restore: {from: " + location + ", cluster: rides, incarnation: dc1-1-3f9c, backup: " + backup
                + "}\n";
    }

    private static Problem refused(String cluster, String location, BackupId backup) {
        ClusterName name = new ClusterName(cluster);
        return catchThrowableOfType(RefusedException.class, () -> dc1.client()
                        .apply(name, spec(cluster, location, backup), 0L, ChangeOptions.DRY_RUN))
                .problem();
    }

    private static List<String> lines(Plan plan, String phase) {
        return plan.phases().stream()
                .filter(p -> p.name().equals(phase))
                .map(Phase::steps)
                .flatMap(List::stream)
                .map(StepState::args)
                .map(a -> a.get("node") + " " + a.getOrDefault("transfer.source", "") + " "
                        + a.getOrDefault("transfer.manifest", ""))
                .toList();
    }

    @Test
    void a_dry_run_shows_which_node_takes_whose_data() {
        Plan plan = dc1.client()
                .apply(new ClusterName("dry"), spec("dry", "main", BACKUP), 0L, ChangeOptions.DRY_RUN)
                .plans()
                .get(0);
        assertThat(lines(plan, "fetch"))
                .hasSize(3)
                .allMatch(l -> l.matches("dry/dc1/node-\\d dc1.node-(\\d) hash-\\1"));
        assertThat(lines(plan, "import")).hasSize(3);
        assertThat(String.join("\n", plan.notes()))
                .contains("takes the data of dc1 node-", "1 GiB of 4 GiB", "2026-11-24T04:00:00Z", "CQL stays closed");
    }

    @Test
    void a_restore_holds_its_backup_from_its_acceptance_and_a_dry_run_does_not() throws IOException {
        ClusterName name = new ClusterName("held");
        Path mark = store().resolve(KEYS.reader(BACKUP, name, DC1));
        dc1.client().apply(name, spec("held", "main", BACKUP), 0L, ChangeOptions.DRY_RUN);
        assertThat(mark).doesNotExist();
        dc1.client().apply(name, spec("held", "main", BACKUP), 0L, ChangeOptions.APPLY);
        assertThat(mark).exists();
    }

    @Test
    void what_was_read_of_the_backup_is_kept_with_the_spec() {
        ClusterName name = new ClusterName("kept");
        dc1.client().apply(name, spec("kept", "main", BACKUP), 0L, ChangeOptions.APPLY);
        var stored = dc1.client().spec(name);
        assertThat(Objects.requireNonNull(stored.origin()).nodes()).hasSize(3);
        assertThat(dc1.client()
                        .apply(name, spec("kept", "main", BACKUP) + "# again\n", 1L, ChangeOptions.APPLY)
                        .changed())
                .isFalse();
        RefusedException other = catchThrowableOfType(RefusedException.class, () -> dc1.client()
                .apply(name, Specs.of("kept", "dc1: {nodes: 3, seeds: 2}"), 1L, ChangeOptions.APPLY));
        assertThat(other.problem().field()).isEqualTo("restore");
    }

    /** A reader of the new cluster reads the rows of the old one. */
    @Test
    void an_operator_does_not_open_the_backup_of_a_cluster_with_roles_by_a_cluster_without_them() {
        String token = dc1.client()
                .createToken(new TokenAsk("ci", Role.OPERATOR, new ClusterPattern("*"), 3600), false)
                .token();
        RingmasterClient operator = TestDatacenter.client(dc1.url(), token);
        ClusterName name = new ClusterName("opened");
        RefusedException refused = catchThrowableOfType(
                RefusedException.class,
                () -> operator.apply(name, spec("opened", "main", GUARDED), 0L, ChangeOptions.DRY_RUN));
        assertThat(refused.problem().line()).contains("which has roles, needs the role admin for cluster rides");
        assertThat(operator.apply(name, spec("opened", "main", BACKUP), 0L, ChangeOptions.DRY_RUN)
                        .plans())
                .isNotEmpty();
        assertThat(dc1.client()
                        .apply(name, spec("opened", "main", GUARDED), 0L, ChangeOptions.DRY_RUN)
                        .plans())
                .isNotEmpty();
    }

    /** The passwords of the old cluster are under its name, and somebody restores it in an emergency. */
    @Test
    void a_restore_whose_passwords_are_under_another_name_is_refused_with_both_ways_out() {
        String roles = "roles: {app: {login: true, password: {file: app-1}}}\n";
        RefusedException refused = catchThrowableOfType(RefusedException.class, () -> dc1.client()
                .apply(new ClusterName("rides2"), spec("rides2", "main", BACKUP) + roles, 0L, ChangeOptions.DRY_RUN));
        assertThat(refused.problem().field()).isEqualTo("roles.app.password");
        assertThat(refused.problem().line())
                .contains("passwords/rides2/app-1")
                .endsWith(" -> put the password there, or restore the data first: ringmaster restore start rides --as"
                        + " rides2 --backup " + BACKUP + " --from main --roles none lets nobody in until you apply the"
                        + " roles");
        assertThat(dc1.client()
                        .apply(
                                new ClusterName("rides2"),
                                spec("rides2", "main", BACKUP) + "roles: {}\n",
                                0L,
                                ChangeOptions.DRY_RUN)
                        .plans())
                .isNotEmpty();
    }

    /** Cassandra would make its default superuser: no role is restored. */
    @Test
    void a_login_of_its_own_is_refused_before_anything_changes() throws IOException {
        ClusterName name = new ClusterName("r5");
        String own = "cassandra_yaml: {authenticator: {class_name: PasswordAuthenticator}}\n";
        for (ChangeOptions options : List.of(ChangeOptions.DRY_RUN, ChangeOptions.APPLY)) {
            RefusedException refused = catchThrowableOfType(RefusedException.class, () -> dc1.client()
                    .apply(name, spec("r5", "main", BACKUP) + own, 0L, options));
            assertThat(refused.problem().field()).isEqualTo("cassandra_yaml.authenticator");
        }
        assertThat(store().resolve(KEYS.reader(BACKUP, name, DC1))).doesNotExist();
    }

    @Test
    void a_backup_that_cannot_be_restored_is_refused_by_name() {
        Problem location = refused("r1", "nowhere", BACKUP);
        assertThat(location.code()).isEqualTo(ErrorCode.LOCATION_UNKNOWN);
        assertThat(location.field()).isEqualTo("restore.from");
        assertThat(location.message()).contains("no location 'nowhere' on this server; known: main");
        Problem unknown = refused("r2", "main", new BackupId("20251124T040000Z-3f9c"));
        assertThat(unknown.code()).isEqualTo(ErrorCode.BACKUP_UNKNOWN);
        assertThat(unknown.field()).isEqualTo("restore.backup");
        assertThat(refused("r3", "main", DAMAGED).code()).isEqualTo(ErrorCode.BACKUP_DAMAGED);
        assertThat(refused("r4", "main", IN_ROCKSDB).field()).isEqualTo("engine.rocksdb");
        assertThat(dc1.client().clusters().items())
                .noneMatch(c -> c.cluster().value().matches("r\\d"));
    }
}
