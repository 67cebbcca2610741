package io.ringmaster.server.secret;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.model.access.Secret;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.RoleName;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.node.TaskSecrets;
import io.ringmaster.model.spec.PasswordSource;
import io.ringmaster.model.spec.RoleSpec;
import io.ringmaster.ports.SecretReader;
import io.ringmaster.ports.UnreadableSecretException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mindrot.jbcrypt.BCrypt;

class PasswordDirectoryTest {
    private static final ClusterName RIDES = new ClusterName("rides");
    private static final RoleName APP = new RoleName("app");

    @TempDir
    private Path directory;

    /** The Secrets of the pool, if its platform has any. */
    private @Nullable SecretReader secrets;

    private PasswordDirectory passwords;

    @BeforeEach
    void open() {
        passwords = new PasswordDirectory(
                directory.resolve("given"),
                directory.resolve("generated"),
                name -> name.equals("RINGMASTER_SECRET_RIDES__APP_1") ? "from the environment" : null,
                () -> Optional.ofNullable(secrets));
    }

    private void file(String name, String text, String mode) throws IOException {
        Path file = directory.resolve("given/rides").resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
    }

    private static NodeTask task(String source) {
        return new NodeTask(
                "access-node-0-7", NodeTask.Kind.ACCESS, Map.of("role.app", "login", "password.app", source));
    }

    @Test
    void a_task_gets_hashes_and_no_passwords() throws IOException {
        file("app", "s3cret-of-app\n", "rw-------");
        TaskSecrets secrets = passwords.secrets(RIDES, task("file:app"));
        assertThat(secrets.problem()).isNull();
        assertThat(secrets.task()).isEqualTo("access-node-0-7");
        assertThat(secrets.args()).containsOnlyKeys("hash.app");
        assertThat(BCrypt.checkpw("s3cret-of-app", secrets.args().get("hash.app")))
                .isTrue();
        assertThat(secrets.toString()).doesNotContain("$2a$");
    }

    @Test
    void a_password_is_read_from_the_environment() throws PasswordException {
        assertThat(passwords
                        .password(RIDES, APP, PasswordSource.of("env:app-1"))
                        .reveal())
                .isEqualTo("from the environment");
    }

    @Test
    void a_password_is_read_from_a_Secret_that_the_pool_finds_for_the_cluster() {
        secrets = (cluster, ref) -> new Secret("password of " + cluster + " in " + ref.name() + " at " + ref.key());
        TaskSecrets read = passwords.secrets(RIDES, task("secret:app-login/password"));
        assertThat(BCrypt.checkpw(
                        "password of rides in app-login at password",
                        read.args().get("hash.app")))
                .isTrue();
        assertThat(passwords.missing(RIDES, role(PasswordSource.of("secret:app-login/password"))))
                .isEmpty();
    }

    @Test
    void a_Secret_that_the_pool_refuses_is_named_by_the_field_of_the_spec_and_fails_the_task() {
        secrets = (cluster, ref) -> {
            throw new UnreadableSecretException("there is no Secret '" + ref.name() + "'");
        };
        assertThat(passwords.missing(RIDES, role(PasswordSource.of("secret:app-login/password"))))
                .map(Problem::line)
                .contains("roles.app.password: there is no Secret 'app-login'");
        assertThat(passwords.secrets(RIDES, task("secret:app-login/password")).problem())
                .isEqualTo("the password of role app: there is no Secret 'app-login'");
    }

    @Test
    void a_pool_without_Secrets_is_named_with_the_other_places() {
        assertThat(passwords.missing(RIDES, role(PasswordSource.of("secret:app-login/password"))))
                .map(Problem::line)
                .get()
                .asString()
                .contains("roles.app.password", "'app-login'", "not on Kubernetes", "{file: NAME} or {env: NAME}");
    }

    @Test
    void a_Secret_that_Kubernetes_mounts_is_a_folder_of_files() throws IOException {
        // as the kubelet mounts one with defaultMode 0400 into a pod with an fsGroup
        file("..2026_11_28/app", "s3cret-of-app\n", "r--r-----");
        Path folder = directory.resolve("given/rides");
        Files.createSymbolicLink(folder.resolve("..data"), Path.of("..2026_11_28"));
        Files.createSymbolicLink(folder.resolve("app"), Path.of("..data/app"));
        assertThat(passwords.secrets(RIDES, task("file:app")).problem()).isNull();
    }

    @Test
    void a_cluster_has_no_passwords_of_another() throws IOException {
        file("app", "s3cret-of-app", "rw-------");
        ClusterName other = new ClusterName("food");
        assertThat(passwords.secrets(other, task("file:app")).problem()).contains("no file", "given/food/app");
        assertThat(passwords.secrets(other, task("env:app-1")).problem()).contains("RINGMASTER_SECRET_FOOD__APP_1");
        assertThat(passwords.secrets(RIDES, task("file:app")).problem()).isNull();
    }

    @Test
    void a_variable_that_two_clusters_could_mean_is_refused() {
        for (String cluster : List.of("a", "a-", "a--b", "a-b-")) {
            for (String name : List.of("-b", "b--c", "--c")) {
                assertThat(passwords
                                .secrets(new ClusterName(cluster), task("env:" + name))
                                .problem())
                        .as(cluster + " " + name)
                        .contains("use {file: " + name + "}");
            }
        }
    }

    @Test
    void a_password_that_others_could_read_is_refused() throws IOException {
        file("app", "s3cret-of-app", "rw-r--r--");
        assertThat(passwords.secrets(RIDES, task("file:app")).problem())
                .contains("chmod 600")
                .doesNotContain("s3cret");
    }

    @Test
    void a_missing_password_is_named_by_the_field_of_the_spec() {
        assertThat(passwords.missing(RIDES, role(PasswordSource.of("file:app"))))
                .map(Problem::line)
                .get()
                .asString()
                .contains("roles.app.password", "given/rides/app", "mode 0600");
        assertThat(passwords.missing(RIDES, role(PasswordSource.of("env:other"))))
                .map(Problem::line)
                .get()
                .asString()
                .contains("RINGMASTER_SECRET_RIDES__OTHER");
        assertThat(passwords.missing(RIDES, role(PasswordSource.GENERATED))).isEmpty();
    }

    private static RoleSpec role(PasswordSource source) {
        return new RoleSpec(APP, true, false, source, List.of(), List.of());
    }

    @Test
    void bcrypt_must_not_cut_a_password() throws IOException {
        file("app", "x".repeat(73), "rw-------");
        assertThatThrownBy(() -> passwords.password(RIDES, APP, PasswordSource.of("file:app")))
                .hasMessageContaining("1 to 72 bytes");
    }

    @Test
    void a_generated_password_is_made_once_and_only_its_owner_reads_it() throws Exception {
        String first = passwords.password(RIDES, APP, PasswordSource.GENERATED).reveal();
        assertThat(first).hasSize(43);
        assertThat(passwords.password(RIDES, APP, PasswordSource.GENERATED).reveal())
                .isEqualTo(first);
        assertThat(passwords
                        .password(RIDES, new RoleName("anna"), PasswordSource.GENERATED)
                        .reveal())
                .isNotEqualTo(first);
        assertThat(PosixFilePermissions.toString(
                        Files.getPosixFilePermissions(directory.resolve("generated/rides/app"))))
                .isEqualTo("rw-------");
    }

    @Test
    void a_reader_makes_no_password() throws Exception {
        assertThat(passwords.made(RIDES, APP)).isEmpty();
        assertThat(directory.resolve("generated")).doesNotExist();
        Secret made = passwords.password(RIDES, APP, PasswordSource.GENERATED);
        assertThat(passwords.made(RIDES, APP)).map(Secret::reveal).contains(made.reveal());
        try (var files = Files.list(directory.resolve("generated/rides"))) {
            assertThat(files).as("no half of one").hasSize(1);
        }
    }
}
