package io.ringmaster.simulator.repository;

import io.ringmaster.backup.repository.BackupId;
import io.ringmaster.backup.store.BackupStore;
import io.ringmaster.backup.store.Content;
import io.ringmaster.backup.store.ObjectInfo;
import io.ringmaster.model.node.NodeTask.Kind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Sends other requests than the actor made, or in another order: those of a program with a bug. An upload does not see
 * that a blob of its base is gone, which it would in most of the histories in which such a bug matters.
 */
final class PlantedStore implements BackupStore {
    private static final int ALL = 1000;
    /** {@code 20261124T040000Z}: a second. */
    private static final int SECOND = 16;

    private static final String ROOT = Judge.KEYS.root();
    private static final String INTENTS = ROOT + "intents/";
    private static final String READERS = ROOT + "readers/";

    private final BackupStore store;
    private final ProtocolBug bug;
    private final SimObjects objects;
    /** Lists that were read too early. */
    private final Map<String, List<ObjectInfo>> early = new HashMap<>();
    /** The epoch of a collection, while it is not put. */
    private @Nullable String late;

    /** Whether the work is an upload that has sent no request yet. */
    private boolean starts;

    PlantedStore(BackupStore store, ProtocolBug bug, SimObjects objects, Kind kind) {
        this.store = store;
        this.bug = bug;
        this.objects = objects;
        this.starts = kind == Kind.BACKUP_UPLOAD;
    }

    /** What an upload with the bug decides before it puts its intent. */
    private void start() throws IOException, InterruptedException {
        if (!starts) {
            return;
        }
        starts = false;
        if (bug == ProtocolBug.EPOCH_BEFORE_INTENT) {
            early.put(Judge.KEYS.epochs(), store.list(Judge.KEYS.epochs(), null, ALL));
        }
        if (bug == ProtocolBug.BASE_BEFORE_INTENT) {
            early.put(Judge.KEYS.backups(), store.list(Judge.KEYS.backups(), null, ALL));
            early.put(Judge.KEYS.trashes(), store.list(Judge.KEYS.trashes(), null, ALL));
        }
    }

    @Override
    public void put(String key, Content content) throws IOException, InterruptedException {
        start();
        if (bug == ProtocolBug.INTENTS_BEFORE_EPOCH && Judge.KEYS.epochOf(key).isPresent()) {
            late = key;
            return;
        }
        store.put(key, content);
    }

    @Override
    public int get(String key, long offset, byte[] into) throws IOException, InterruptedException {
        start();
        return store.get(key, offset, into);
    }

    @Override
    public Optional<ObjectInfo> stat(String key) throws IOException, InterruptedException {
        start();
        return key.equals(late) ? Optional.of(objects.infoAsIfPutNow(key)) : store.stat(key);
    }

    @Override
    public List<ObjectInfo> list(String prefix, @Nullable String after, int limit)
            throws IOException, InterruptedException {
        List<ObjectInfo> known = early.get(prefix);
        if (known != null) {
            return known;
        }
        if (prefix.equals(Judge.KEYS.blobs(""))) {
            return objects.listEver(prefix, after, limit);
        }
        if (prefix.equals(READERS) && bug == ProtocolBug.READERS_IGNORED) {
            return List.of();
        }
        if (prefix.startsWith(INTENTS) && !prefix.equals(INTENTS) && bug == ProtocolBug.INTENTS_NOT_CHECKED) {
            return RepositoryNodes.NAMES.stream()
                    .map(node -> objects.infoAsIfPutNow(prefix + node))
                    .toList();
        }
        if (prefix.startsWith(Judge.KEYS.blobs("")) && late != null) {
            String epoch = late;
            late = null;
            store.put(epoch, Content.empty());
        }
        return store.list(prefix, after, limit);
    }

    @Override
    public void delete(Collection<String> keys) throws IOException, InterruptedException {
        Set<String> all = new TreeSet<>(keys);
        if (bug == ProtocolBug.IDS_BY_PREFIX) {
            keys.forEach(key -> all.addAll(sameSecond(key)));
        }
        store.delete(new ArrayList<>(all));
    }

    private List<String> sameSecond(String key) {
        Optional<BackupId> id = Judge.KEYS.manifestOf(key).or(() -> Judge.KEYS.okOf(key));
        return id.stream()
                .map(backup -> Judge.KEYS.backups() + backup.value().substring(0, SECOND))
                .flatMap(prefix -> objects.list(prefix, null, ALL).stream().map(ObjectInfo::key))
                .toList();
    }

    @Override
    public void close() {
        store.close();
    }
}
