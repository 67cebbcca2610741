package io.ringmaster.server.config;

import io.ringmaster.host.DurableFiles;
import io.ringmaster.model.access.Secret;
import io.ringmaster.server.access.ApiToken;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * The API token: 256 random bits in a file that only its owner may read. Servers started at once agree on one. A file
 * that its group may read is accepted: a Secret that Kubernetes mounts belongs to root and to the group of the pod.
 */
public final class TokenFile {
    private static final Set<PosixFilePermission> ACCEPTED = PosixFilePermissions.fromString("rw-r-----");

    private TokenFile() {}

    /**
     * @throws IOException also when others may read the file or its group may write it, or its content is too short or
     *     an API token
     */
    public static Secret readOrCreate(Path file) throws IOException {
        if (!Files.exists(file)) {
            create(file);
        }
        Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
        if (!ACCEPTED.containsAll(permissions)) {
            throw new IOException("token_file: " + file + " has mode " + PosixFilePermissions.toString(permissions)
                    + ", but only its owner may write it, and only its owner and group may read it -> chmod 600 "
                    + file);
        }
        String token = Files.readString(file).strip();
        if (token.length() < 16) {
            throw new IOException("token_file: " + file + " holds no token of 16 characters or more -> remove it, and"
                    + " a new one is made; the servers of a fleet need the same one");
        }
        Optional<ApiToken> given = ApiToken.parse(token);
        if (given.isPresent()) {
            // its holder, perhaps a viewer, would have every right
            throw new IOException("token_file: " + file + " holds the API token "
                    + given.get().id()
                    + ", which cannot be the token of servers -> save it elsewhere (the command line reads it with"
                    + " --token-file), then put the former content back; if that is lost, remove the file on every"
                    + " server of the fleet, start one, and copy its new file to the others");
        }
        return new Secret(token);
    }

    private static void create(Path file) throws IOException {
        byte[] random = new byte[32];
        new SecureRandom().nextBytes(random);
        DurableFiles.makeDirectories(
                Objects.requireNonNull(file.toAbsolutePath().getParent(), "a file is in a directory"));
        // where another server was quicker, its token counts
        var unused = DurableFiles.create(file, HexFormat.of().formatHex(random) + "\n");
    }
}
