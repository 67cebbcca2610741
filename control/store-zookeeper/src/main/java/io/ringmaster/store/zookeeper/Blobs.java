package io.ringmaster.store.zookeeper;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.jspecify.annotations.Nullable;

/**
 * Values that are too large for one znode, in parts. A blob is written before the reference to it and deleted after it,
 * so a crash leaves at most a blob without a reference, which the next leader deletes.
 */
final class Blobs {
    private static final int PART_BYTES = 512 * 1024;
    private static final byte MARK = 'B';

    private final ZooKeeperSession session;

    Blobs(ZooKeeperSession session) {
        this.session = session;
    }

    /** @return the reference {@code B<id> <parts>} */
    byte[] write(byte[] value) {
        String id = UUID.randomUUID().toString();
        int parts = Math.max(1, (value.length + PART_BYTES - 1) / PART_BYTES);
        for (int i = 0; i < parts; i++) {
            byte[] part = Arrays.copyOfRange(value, i * PART_BYTES, Math.min(value.length, (i + 1) * PART_BYTES));
            String path = path(id, i);
            session.call("write " + path, zk -> {
                // It exists if a first attempt succeeded and only its answer was lost.
                if (zk.exists(path, false) == null) {
                    zk.create(path, part, session.acl(), CreateMode.PERSISTENT);
                }
                return path;
            });
        }
        return ((char) MARK + id + " " + parts).getBytes(StandardCharsets.UTF_8);
    }

    static boolean isReference(byte[] value) {
        return value.length > 0 && value[0] == MARK;
    }

    /** @return null when a part does not exist, because the reference was replaced during the read */
    byte @Nullable [] read(byte[] reference) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : session.readAll(paths(reference))) {
            if (part == null) {
                return null;
            }
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    void delete(byte[] reference) {
        paths(reference).forEach(this::delete);
    }

    /** Deletes every blob that is not in these references. */
    void deleteUnreferenced(Collection<byte[]> references) {
        Set<String> kept = new HashSet<>();
        references.forEach(r -> kept.addAll(paths(r)));
        List<String> existing = new ArrayList<>(session.children(session.blobsPath()));
        existing.stream()
                .map(name -> session.blobsPath() + "/" + name)
                .filter(p -> !kept.contains(p))
                .forEach(this::delete);
    }

    private void delete(String path) {
        try {
            session.call("delete " + path, zk -> {
                zk.delete(path, -1);
                return path;
            });
        } catch (KeeperFailure e) {
            if (e.code() != KeeperException.Code.NONODE) {
                throw e;
            }
        }
    }

    private List<String> paths(byte[] reference) {
        String[] words = new String(reference, 1, reference.length - 1, StandardCharsets.UTF_8).split(" ", -1);
        if (words.length != 2) {
            throw new IllegalArgumentException("holds no valid reference to a blob: " + String.join(" ", words));
        }
        return IntStream.range(0, Integer.parseInt(words[1]))
                .mapToObj(i -> path(words[0], i))
                .toList();
    }

    private String path(String id, int part) {
        return session.blobsPath() + "/" + id + "." + part;
    }
}
