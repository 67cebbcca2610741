package io.ringmaster.store.zookeeper;

import io.ringmaster.model.error.ThrowableText;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.StoredRecord;
import io.ringmaster.ports.PoolRecords;
import io.ringmaster.ports.Store;
import io.ringmaster.ports.StoreUnavailableException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Op;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records in ZooKeeper; {@code docs/store-format.md} describes the format. A commit is one transaction that also checks
 * the epoch. A commit that is too large for one transaction is first written as a blob, then decided by one transaction
 * that creates the reference to the blob, then applied in several transactions. After the decision every load and
 * commit sees it whole, also after a crash. Every change is absolute, so applying it twice is harmless.
 */
public final class ZooKeeperStore implements Store {
    private static final Logger LOG = LoggerFactory.getLogger(ZooKeeperStore.class);
    private static final int INLINE_LIMIT_BYTES = 256 * 1024;
    private static final int TRANSACTION_LIMIT_BYTES = 700 * 1024;
    private static final int TRANSACTION_LIMIT_OPS = 2_000;
    private static final int LOAD_ATTEMPTS = 5;

    private final ZooKeeperSession session;
    private final Blobs blobs;
    /**
     * The existing record znodes with their blob references, empty for inline values. Valid for the epoch that
     * committed last, because no other server writes while that epoch is the newest.
     */
    private final Map<String, byte[]> references = new TreeMap<>();

    private long preparedEpoch = -1;

    public ZooKeeperStore(ZooKeeperSession session) {
        this.session = session;
        blobs = new Blobs(session);
    }

    @Override
    public synchronized Collection<StoredRecord> load() {
        session.sync();
        for (int attempt = 1; attempt <= LOAD_ATTEMPTS; attempt++) {
            Map<String, byte @Nullable []> values = readValues();
            if (!values.containsValue(null)) {
                return decode(values);
            }
        }
        throw new StoreUnavailableException(
                "load: records changed during each of " + LOAD_ATTEMPTS + " reads",
                new IllegalStateException("read skew"));
    }

    /** Each record's bytes with the pending commit applied; null where a blob was deleted during the read. */
    private Map<String, byte @Nullable []> readValues() {
        Map<String, byte[]> stored = readStored();
        for (Edit edit : readPending()) {
            if (edit.value() == null) {
                stored.remove(edit.key());
            } else {
                stored.put(edit.key(), edit.value());
            }
        }
        Map<String, byte @Nullable []> values = new TreeMap<>();
        stored.forEach((key, value) -> values.put(key, Blobs.isReference(value) ? readBlob(key, value) : value));
        return values;
    }

    private byte @Nullable [] readBlob(String key, byte[] reference) {
        try {
            return blobs.read(reference);
        } catch (IllegalArgumentException e) {
            throw corrupt(key, e);
        }
    }

    private Collection<StoredRecord> decode(Map<String, byte @Nullable []> values) {
        List<StoredRecord> records = new ArrayList<>();
        values.forEach((key, value) -> {
            try {
                records.add(RecordCodec.decode(key, value));
            } catch (IllegalArgumentException e) {
                throw corrupt(key, e);
            }
        });
        return List.copyOf(records);
    }

    private CorruptRecordException corrupt(String key, IllegalArgumentException e) {
        return new CorruptRecordException(path(key), ThrowableText.of(e), e);
    }

    private Map<String, byte[]> readStored() {
        List<String> keys = new ArrayList<>();
        for (String type : RecordPaths.TYPES.keySet()) {
            session.children(session.recordsPath() + "/" + type).forEach(name -> keys.add(RecordPaths.key(type, name)));
        }
        List<byte @Nullable []> values =
                session.readAll(keys.stream().map(this::path).toList());
        Map<String, byte[]> stored = new TreeMap<>();
        for (int i = 0; i < keys.size(); i++) {
            byte[] value = values.get(i);
            if (value != null) {
                stored.put(keys.get(i), value);
            }
        }
        return stored;
    }

    private List<Edit> readPending() {
        byte[] reference = session.readAll(List.of(session.pendingPath())).get(0);
        byte[] edits = reference == null ? null : blobs.read(reference);
        // Without the blob: the leader applied the commit and deleted the blob between the two reads.
        return edits == null ? List.of() : Edit.read(edits);
    }

    @Override
    public synchronized void commit(long epoch, List<Change> changes) {
        List<Edit> edits = edits(changes);
        FencedWrite.run(session, "commit", epoch, () -> {
            try {
                prepare(epoch);
                write(epoch, edits);
            } catch (KeeperFailure | StoreUnavailableException e) {
                preparedEpoch = -1;
                throw e;
            }
        });
    }

    @Override
    public PoolRecords poolRecords(long epoch) {
        return new ZooKeeperPoolRecords(session, epoch);
    }

    private List<Edit> edits(List<Change> changes) {
        Map<String, Edit> last = new LinkedHashMap<>();
        for (Change change : changes) {
            byte[] value = change instanceof Change.Put put ? RecordCodec.encode(put.record()) : null;
            String key = change.key().path();
            last.put(key, new Edit(key, value));
            RecordPaths.path(key);
        }
        return List.copyOf(last.values());
    }

    /**
     * Runs once per epoch and after each commit with an unknown outcome: reads the existing znodes, completes a decided
     * commit of a former leader, and deletes unreferenced blobs.
     */
    private void prepare(long epoch) {
        if (preparedEpoch == epoch) {
            return;
        }
        session.multi("check the epoch", List.of(session.checkEpoch(epoch)));
        references.clear();
        references.putAll(readStored());
        references.replaceAll((key, value) -> Blobs.isReference(value) ? value : new byte[0]);
        byte[] pending = session.readAll(List.of(session.pendingPath())).get(0);
        if (pending != null) {
            byte[] edits = blobs.read(pending);
            if (edits == null) {
                throw new CorruptRecordException(
                        session.pendingPath(),
                        "refers to a blob that does not exist",
                        new IllegalStateException("no blob"));
            }
            LOG.info("applies a commit that was decided before");
            applyDecided(epoch, pending, Edit.read(edits));
        }
        blobs.deleteUnreferenced(
                references.values().stream().filter(Blobs::isReference).toList());
        preparedEpoch = epoch;
    }

    private void write(long epoch, List<Edit> edits) {
        List<Edit> inline = edits.stream().map(this::withBlob).toList();
        if (fits(inline)) {
            apply(epoch, inline);
            return;
        }
        byte[] pending = blobs.write(Edit.write(inline));
        Op decide = Op.create(session.pendingPath(), pending, session.acl(), CreateMode.PERSISTENT);
        session.multi("decide a commit of " + inline.size() + " changes", List.of(session.checkEpoch(epoch), decide));
        try {
            applyDecided(epoch, pending, inline);
        } catch (KeeperFailure | StoreUnavailableException e) {
            // It is decided: every later load and commit, here or on another server, sees it whole.
            LOG.warn("a decided commit is not completely applied yet: {}", ThrowableText.of(e));
            preparedEpoch = -1;
        }
    }

    private Edit withBlob(Edit edit) {
        byte[] value = edit.value();
        return value == null || value.length <= INLINE_LIMIT_BYTES ? edit : new Edit(edit.key(), blobs.write(value));
    }

    private static boolean fits(List<Edit> edits) {
        return edits.size() <= TRANSACTION_LIMIT_OPS
                && edits.stream().mapToLong(Edit::sizeBytes).sum() <= TRANSACTION_LIMIT_BYTES;
    }

    private void applyDecided(long epoch, byte[] pending, List<Edit> edits) {
        List<Edit> piece = new ArrayList<>();
        for (Edit edit : edits) {
            piece.add(edit);
            if (!fits(piece)) {
                piece.remove(piece.size() - 1);
                apply(epoch, piece);
                piece = new ArrayList<>(List.of(edit));
            }
        }
        apply(epoch, piece);
        session.multi(
                "complete a large commit", List.of(session.checkEpoch(epoch), Op.delete(session.pendingPath(), -1)));
        blobs.delete(pending);
    }

    /** Applies the edits in one transaction, then deletes the blobs of replaced values. */
    private void apply(long epoch, List<Edit> edits) {
        List<Op> ops = new ArrayList<>(List.of(session.checkEpoch(epoch)));
        for (Edit edit : edits) {
            boolean exists = references.containsKey(edit.key());
            String path = path(edit.key());
            byte[] value = edit.value();
            if (value == null) {
                if (exists) {
                    ops.add(Op.delete(path, -1));
                }
            } else if (exists) {
                ops.add(Op.setData(path, value, -1));
            } else {
                ops.add(Op.create(path, value, session.acl(), CreateMode.PERSISTENT));
            }
        }
        session.multi("commit " + edits.size() + " changes", ops);
        edits.forEach(this::remember);
    }

    private void remember(Edit edit) {
        byte[] value = edit.value();
        byte[] reference = value != null && Blobs.isReference(value) ? value : new byte[0];
        byte[] before = value == null ? references.remove(edit.key()) : references.put(edit.key(), reference);
        if (before != null && before.length > 0 && !Arrays.equals(before, reference)) {
            blobs.delete(before);
        }
    }

    private String path(String key) {
        return session.recordsPath() + "/" + RecordPaths.path(key);
    }

    /** Does nothing: the session stays open, because the election may use it too. */
    @Override
    public void close() {}
}
