package io.ringmaster.pool.local;

import io.ringmaster.host.DurableFiles;
import io.ringmaster.model.error.ThrowableText;
import io.ringmaster.ports.PoolRecords;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The random id of a state directory, in its file {@code directory-id} and in the store. If they differ, this directory
 * is not the one in which the nodes were launched, and nodes would come up on old data.
 *
 * <p>Each open gives the directory another id, so that an old copy is found out once it has missed two of them. The
 * store holds both, the id that was found and the next one, because a crash may keep the next from the directory.
 */
record DirectoryId(Path stateDirectory) {
    private static final Logger LOG = LoggerFactory.getLogger(DirectoryId.class);
    private static final String NAME = "directory-id";

    /** Runs before the store knows a directory that it did not know before. */
    @FunctionalInterface
    interface NewDirectory {
        void forget() throws IOException;
    }

    /**
     * @param accept whether a directory with another id takes the place of the one that the store knows
     * @param unknown runs first if the store did not know this directory: after a crash in between, it runs again
     * @throws IllegalStateException the store knows another directory
     * @throws IOException the id cannot be read
     */
    void claim(PoolRecords records, boolean accept, NewDirectory unknown) throws IOException {
        List<String> known = records.get(NAME)
                .map(ids -> new String(ids, StandardCharsets.UTF_8).lines().toList())
                .orElse(List.of());
        Optional<String> here = read();
        if (here.isPresent() && known.contains(here.get())) {
            change(here.get(), records);
            return;
        }
        boolean damaged = here.isPresent() && isCutShort(here.get(), known);
        if (!known.isEmpty() && !accept) {
            throw new IllegalStateException(
                    "state_directory: " + (damaged ? damaged(here.get(), known) : another(here, known))
                            + " pool.local.accept_directory: true to use this one from now on");
        }
        if (!known.isEmpty()) {
            LOG.warn(
                    "accept_directory takes {} with the id {} in place of the directory with the id {}; remove the"
                            + " setting, as it takes any other directory too",
                    stateDirectory,
                    here.orElse("missing"),
                    String.join(" or ", known));
        }
        Optional<String> id =
                here.filter(found -> !damaged).or(() -> write(UUID.randomUUID().toString()));
        if (id.isPresent()) {
            unknown.forget();
            change(id.get(), records);
        }
    }

    private static boolean isCutShort(String id, List<String> known) {
        return id.isEmpty() || known.stream().anyMatch(whole -> whole.startsWith(id));
    }

    private String damaged(String here, List<String> known) {
        return stateDirectory.resolve(NAME) + " is damaged, it holds '" + here + "'; write "
                + known.get(known.size() - 1) + " into it if " + stateDirectory + " is the directory in which this"
                + " datacenter's nodes were launched last, and not an old copy of it; otherwise correct"
                + " state_directory, or set";
    }

    private String another(Optional<String> here, List<String> known) {
        return stateDirectory + " is not the directory in which this datacenter's nodes were launched, or an old copy"
                + " of it: its id is " + here.orElse("missing") + ", the store knows " + String.join(" or ", known)
                + "; correct state_directory, or set";
    }

    /** A directory that keeps its id, as its disk is full, is known at the next open too. */
    private void change(String id, PoolRecords records) {
        String next = UUID.randomUUID().toString();
        records.put(NAME, (id + "\n" + next).getBytes(StandardCharsets.UTF_8));
        var unused = write(next);
    }

    private Optional<String> read() throws IOException {
        try {
            return Optional.of(Files.readString(stateDirectory.resolve(NAME)).trim());
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    /** Empty if there is no room for it: a full disk must not keep a leader from its nodes. */
    private Optional<String> write(String id) {
        try {
            DurableFiles.write(stateDirectory.resolve(NAME), id);
            return Optional.of(id);
        } catch (IOException e) {
            LOG.warn("{} gets no new id before the next start: {}", stateDirectory, ThrowableText.of(e));
            return Optional.empty();
        }
    }
}
