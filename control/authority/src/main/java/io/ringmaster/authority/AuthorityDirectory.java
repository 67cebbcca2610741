package io.ringmaster.authority;

import io.ringmaster.host.DurableFiles;
import io.ringmaster.identity.KeyAndChain;
import io.ringmaster.identity.Pem;
import io.ringmaster.identity.PemException;
import io.ringmaster.model.authority.AuthorityName;
import io.ringmaster.model.error.ThrowableText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Keys and certificates of authorities, one file each: {@code internode.rides.dc1.1.pem}, key first. Only this user can
 * read them, and each is on disk before anything is signed by it. Part of what a server's backup must hold.
 */
public final class AuthorityDirectory {
    private static final Set<PosixFilePermission> OWNER = PosixFilePermissions.fromString("rw-------");

    private final Path directory;

    /** @param directory made when the first authority is */
    public AuthorityDirectory(Path directory) {
        this.directory = directory;
    }

    /** The file of an authority. */
    Path file(AuthorityName authority) {
        return directory.resolve(authority.fileName() + ".pem");
    }

    /**
     * The files that are there now.
     *
     * @throws IOException the directory cannot be read
     */
    Set<Path> files() throws IOException {
        if (!Files.exists(directory)) {
            return Set.of();
        }
        try (Stream<Path> files = Files.list(directory)) {
            return files.collect(Collectors.toUnmodifiableSet());
        } catch (IOException e) {
            throw new IOException(directory + ": cannot be read: " + e, e);
        }
    }

    /**
     * Reads an authority.
     *
     * @return empty if there is no file
     * @throws IOException the file is damaged, others can read it, or the authority has ended; names the file
     */
    Optional<KeyAndChain> read(AuthorityName authority, Instant now) throws IOException {
        Path file = file(authority);
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
        if (!OWNER.containsAll(permissions)) {
            throw new IOException(file + ": has mode " + PosixFilePermissions.toString(permissions)
                    + ", but only its owner may read the key of an authority -> chmod 600 " + file);
        }
        try {
            return Optional.of(Pem.keyAndChain(file, now));
        } catch (PemException e) {
            String why = ThrowableText.of(e);
            throw why.contains(" -> ") ? e : new IOException(why + " -> restore it from the server's backup", e);
        }
    }

    /**
     * Keeps a new authority unless there is one by now.
     *
     * @return the one in the file, which may be that of another server
     */
    KeyAndChain keep(AuthorityName authority, KeyAndChain made, Instant now) throws IOException {
        DurableFiles.makeDirectories(directory);
        DurableFiles.create(file(authority), Pem.text(made));
        return read(authority, now).orElseThrow(() -> new IOException(file(authority) + ": is gone again"));
    }
}
