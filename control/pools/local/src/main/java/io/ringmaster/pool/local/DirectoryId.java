package io.ringmaster.pool.local;

import io.ringmaster.host.DurableFiles;
import io.ringmaster.ports.PoolRecords;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The random id of a state directory, in its file {@code directory-id} and in the store. If they differ, this directory
 * is not the one in which the nodes were launched, and does not hold their volumes. A copy has the same id.
 */
record DirectoryId(Path stateDirectory) {
    private static final Logger LOG = LoggerFactory.getLogger(DirectoryId.class);
    private static final String NAME = "directory-id";

    /**
     * @param accept whether a directory with another id takes the place of the one that the store knows
     * @return whether the store did not know this directory before
     * @throws IllegalStateException the store knows another directory
     * @throws IOException the id cannot be read
     */
    boolean claim(PoolRecords records, boolean accept) throws IOException {
        Optional<String> known = records.get(NAME).map(id -> new String(id, StandardCharsets.UTF_8));
        Optional<String> here = read();
        if (known.isPresent() && known.equals(here)) {
            return false;
        }
        if (known.isPresent() && !accept) {
            throw new IllegalStateException("state_directory: " + stateDirectory + " is not the directory in which this"
                    + " datacenter's nodes were launched: its id is " + here.orElse("missing") + ", the store knows "
                    + known.get() + "; correct state_directory, or set pool.local.accept_directory: true to use this"
                    + " one from now on");
        }
        Optional<String> id = here.or(this::write);
        id.ifPresent(i -> records.put(NAME, i.getBytes(StandardCharsets.UTF_8)));
        return id.isPresent();
    }

    private Optional<String> read() throws IOException {
        try {
            return Optional.of(Files.readString(stateDirectory.resolve(NAME)).trim());
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    /** Empty if there is no room for it: a full disk must not keep a leader from its nodes. */
    private Optional<String> write() {
        String id = UUID.randomUUID().toString();
        try {
            DurableFiles.write(stateDirectory.resolve(NAME), id);
            return Optional.of(id);
        } catch (IOException e) {
            LOG.warn("{} gets no id before the next start: {}", stateDirectory, e.getMessage());
            return Optional.empty();
        }
    }
}
