package io.ringmaster.server.secret;

import io.ringmaster.host.DurableFiles;
import io.ringmaster.model.access.PasswordRule;
import io.ringmaster.model.access.Secret;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.error.ThrowableText;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.RoleName;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.node.TaskSecrets;
import io.ringmaster.model.spec.PasswordSource;
import io.ringmaster.model.spec.RoleSpec;
import io.ringmaster.model.spec.SecretKeyRef;
import io.ringmaster.ports.RolePasswords;
import io.ringmaster.ports.SecretReader;
import io.ringmaster.ports.UnreadableSecretException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.mindrot.jbcrypt.BCrypt;

/**
 * Passwords of roles: files that people put into a directory, variables of the environment, Secrets of the platform of
 * the pool, and files with passwords that this server has made. Specs name them by names that cannot leave those
 * places.
 */
public final class PasswordDirectory implements RolePasswords {
    private static final String VARIABLE = "RINGMASTER_SECRET_";
    /** Cassandra's own cost. */
    private static final int BCRYPT_COST = 10;

    private static final int GENERATED_BYTES = 32;
    /** A Secret that Kubernetes mounts belongs to root and to the group of the pod. */
    private static final Set<PosixFilePermission> ACCEPTED = PosixFilePermissions.fromString("rw-r-----");

    private final SecureRandom random = new SecureRandom();
    private final Path given;
    private final Path generated;
    private final UnaryOperator<@Nullable String> environment;
    private final Supplier<Optional<SecretReader>> secrets;

    /**
     * @param given the directory of files that people write
     * @param generated the directory of files that this server writes
     * @param environment the value of a variable, or null
     * @param secrets of the pool, if its platform has any
     */
    public PasswordDirectory(
            Path given,
            Path generated,
            UnaryOperator<@Nullable String> environment,
            Supplier<Optional<SecretReader>> secrets) {
        this.given = given;
        this.generated = generated;
        this.environment = environment;
        this.secrets = secrets;
    }

    @Override
    public TaskSecrets secrets(ClusterName cluster, NodeTask task) {
        Map<String, String> hashes = new TreeMap<>();
        for (Map.Entry<String, String> arg : task.args().entrySet()) {
            if (!arg.getKey().startsWith(NodeTask.PASSWORD)) {
                continue;
            }
            RoleName role = new RoleName(arg.getKey().substring(NodeTask.PASSWORD.length()));
            try {
                Secret password = password(cluster, role, PasswordSource.of(arg.getValue()));
                hashes.put("hash." + role, BCrypt.hashpw(password.reveal(), BCrypt.gensalt(BCRYPT_COST)));
            } catch (PasswordException e) {
                return new TaskSecrets(
                        task.id(), Map.of(), "the password of role " + role + ": " + ThrowableText.of(e));
            }
        }
        return new TaskSecrets(task.id(), hashes, null);
    }

    /** What a role of a spec lacks here. */
    public Optional<Problem> missing(ClusterName cluster, RoleSpec role) {
        PasswordSource source = role.password();
        if (source == null || source.kind() == PasswordSource.Kind.GENERATED) {
            return Optional.empty();
        }
        try {
            var unused = password(cluster, role.name(), source);
            return Optional.empty();
        } catch (PasswordException e) {
            return Optional.of(
                    Problem.field(ErrorCode.SPEC_INVALID, "roles." + role.name() + ".password", ThrowableText.of(e)));
        }
    }

    /**
     * The password of a role. A generated one is made at its first use, and stays. The place of another has the name of
     * the cluster: an admin of one cluster does not get the passwords of another.
     */
    public Secret password(ClusterName cluster, RoleName role, PasswordSource source) throws PasswordException {
        String name = String.valueOf(source.name());
        return switch (source.kind()) {
            case FILE -> read(given.resolve(cluster.value()).resolve(name));
            case ENV -> variable(cluster, name);
            case SECRET -> secret(cluster, source.secret());
            case GENERATED -> generated(cluster, role);
        };
    }

    /** A generated password as it is kept: empty if no deploy has made it, or its file was lost. */
    public Optional<Secret> made(ClusterName cluster, RoleName role) throws PasswordException {
        Path file = generatedFile(cluster, role);
        return Files.exists(file) ? Optional.of(read(file)) : Optional.empty();
    }

    private Secret variable(ClusterName cluster, String name) throws PasswordException {
        String variable = variableName(cluster, name);
        String value = environment.apply(variable);
        if (value == null) {
            throw new PasswordException(
                    "the server's environment has no " + variable + "; set it and start the server again");
        }
        return checked(value, variable);
    }

    /** Two clusters never share one. */
    private static String variableName(ClusterName cluster, String name) throws PasswordException {
        String text = cluster + "--" + name;
        int between = cluster.value().length();
        if (text.indexOf("--") != between || text.lastIndexOf("--") != between) {
            throw new PasswordException("no variable belongs to " + cluster + " and " + name
                    + " alone, because of their hyphens; use {file: " + name + "}");
        }
        return VARIABLE + text.toUpperCase(Locale.ROOT).replace('-', '_');
    }

    private Secret secret(ClusterName cluster, SecretKeyRef ref) throws PasswordException {
        SecretReader reader = secrets.get()
                .orElseThrow(
                        () -> new PasswordException("Secret '" + ref.name() + "' cannot be read, because the pool of"
                                + " this server is not on Kubernetes; use {file: NAME} or {env: NAME}"));
        try {
            return reader.read(cluster, ref);
        } catch (UnreadableSecretException e) {
            throw new PasswordException(ThrowableText.of(e));
        }
    }

    private static Secret read(Path file) throws PasswordException {
        try {
            if (!Files.isRegularFile(file)) {
                throw new PasswordException("there is no file " + file + " at this server; write the password into it,"
                        + " with mode 0600");
            }
            Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
            if (!ACCEPTED.containsAll(permissions)) {
                throw new PasswordException(file + " has mode " + PosixFilePermissions.toString(permissions)
                        + ", but only its owner may write it, and only its owner and group may read it: chmod 600 "
                        + file);
            }
            return checked(Files.readString(file).strip(), file.toString());
        } catch (IOException e) {
            throw new PasswordException("cannot read " + file + ": " + e);
        }
    }

    private static Secret checked(String value, String where) throws PasswordException {
        Optional<String> violation = PasswordRule.violation(value);
        if (violation.isPresent()) {
            throw new PasswordException(where + " " + violation.get());
        }
        return new Secret(value);
    }

    private Secret generated(ClusterName cluster, RoleName role) throws PasswordException {
        Path file = generatedFile(cluster, role);
        try {
            if (!Files.exists(file)) {
                DurableFiles.makeDirectories(generated.resolve(cluster.value()));
                byte[] bytes = new byte[GENERATED_BYTES];
                random.nextBytes(bytes);
                // on disk before its hash is in Cassandra; of two servers that make one at once, the first counts
                DurableFiles.create(
                        file, Base64.getUrlEncoder().withoutPadding().encodeToString(bytes) + "\n");
            }
            return read(file);
        } catch (IOException e) {
            throw new PasswordException("cannot write " + file + ": " + e);
        }
    }

    private Path generatedFile(ClusterName cluster, RoleName role) {
        return generated.resolve(cluster.value()).resolve(role.value());
    }
}
