package io.ringmaster.backup.repository;

import io.ringmaster.backup.store.BackupStore;
import io.ringmaster.backup.store.ObjectInfo;
import io.ringmaster.backup.store.StoreException;
import io.ringmaster.json.Json;
import io.ringmaster.model.error.ThrowableText;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.util.List;

/** Reads whole objects and lists. */
public final class ObjectReader {
    private static final int PAGE = 1000;
    private static final int PIECE = 1 << 20;
    /** A document of a cluster of 1,000 nodes has about 1 MiB. */
    private static final long MOST = 32 << 20;

    /** What is done with each object of a list. */
    @FunctionalInterface
    public interface Visitor {
        void visit(ObjectInfo object) throws IOException, InterruptedException;
    }

    private final BackupStore store;

    public ObjectReader(BackupStore store) {
        this.store = store;
    }

    /** The bytes of a document. */
    public byte[] bytes(String key) throws IOException, InterruptedException {
        var bytes = new ByteArrayOutputStream();
        long size = size(key);
        if (size > MOST) {
            throw new DamagedException(key + " is larger than any document");
        }
        copy(key, size, bytes);
        return bytes.toByteArray();
    }

    public <T> T parse(String key, Class<T> type) throws IOException, InterruptedException {
        return parse(key, bytes(key), type);
    }

    /** @throws DamagedException if the bytes are not a document of that type */
    public static <T> T parse(String key, byte[] json, Class<T> type) throws DamagedException {
        try {
            return Json.parse(json, type);
        } catch (UncheckedIOException e) {
            throw new DamagedException(key + " is damaged: " + ThrowableText.of(e), e);
        }
    }

    /**
     * Copies an object.
     *
     * @return its SHA-256
     */
    public String copy(String key, OutputStream to) throws IOException, InterruptedException {
        return copy(key, size(key), to);
    }

    private String copy(String key, long size, OutputStream to) throws IOException, InterruptedException {
        MessageDigest digest = Sha256.digest();
        byte[] piece = new byte[(int) Math.min(size, PIECE)];
        long offset = 0;
        while (offset < size) {
            int read = (int) Math.min(store.get(key, offset, piece), size - offset);
            if (read <= 0) {
                throw new DamagedException(key + " is cut: " + offset + " of " + size + " bytes");
            }
            digest.update(piece, 0, read);
            to.write(piece, 0, read);
            offset += read;
        }
        return Sha256.text(digest.digest());
    }

    /** All objects whose keys start with {@code prefix}, in the order of their keys. */
    public void list(String prefix, Visitor visitor) throws IOException, InterruptedException {
        List<ObjectInfo> page = store.list(prefix, null, PAGE);
        while (!page.isEmpty()) {
            for (ObjectInfo object : page) {
                visitor.visit(object);
            }
            page = page.size() < PAGE
                    ? List.of()
                    : store.list(prefix, page.get(page.size() - 1).key(), PAGE);
        }
    }

    private long size(String key) throws IOException, InterruptedException {
        return store.stat(key)
                .orElseThrow(() -> new StoreException(StoreException.Reason.MISSING, key + " is missing", null))
                .size();
    }
}
