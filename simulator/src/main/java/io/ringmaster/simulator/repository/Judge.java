package io.ringmaster.simulator.repository;

import io.ringmaster.backup.repository.BackupId;
import io.ringmaster.backup.repository.RepositoryKeys;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.simulator.history.VirtualClock;
import io.ringmaster.simulator.invariant.Violation;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Sees each change of the store, and knows what must be in it. */
final class Judge {
    static final RepositoryKeys KEYS = new RepositoryKeys(new ClusterName("rides"), "dc1-1-00ff");

    private final SimObjects objects;
    private final BackupContents contents;
    private final ReadersJudge readers;
    /** Backups that count, and the keys of all that each needs. */
    private final NavigableMap<BackupId, Set<String>> complete = new TreeMap<>();

    private final Map<BackupId, Set<String>> everComplete = new HashMap<>();
    /** They were the newest complete one when they were marked as trash. */
    private final Set<BackupId> endangered = new HashSet<>();

    Judge(SimObjects objects, BackupContents contents, VirtualClock clock) {
        this.objects = objects;
        this.contents = contents;
        this.readers = new ReadersJudge(clock);
    }

    /** Whether an upload ever started. */
    boolean hasRepository() {
        return objects.contains(KEYS.repositoryFile());
    }

    /** The newest one is last. */
    NavigableMap<BackupId, Set<String>> complete() {
        return complete;
    }

    /** All that were ever complete. */
    Set<BackupId> everComplete() {
        return everComplete.keySet();
    }

    void put(Actor actor, String key, byte[] bytes) {
        Optional<byte[]> former = objects.get(key);
        if (former.isPresent() && !Arrays.equals(former.get(), bytes)) {
            throw new Violation("objects-do-not-change", actor + " puts other bytes to " + key);
        }
        objects.put(key, bytes);
        KEYS.okOf(key).ifPresent(this::judgeComplete);
        KEYS.manifestOf(key).ifPresent(this::judgeComplete);
        KEYS.trashOf(key).ifPresent(this::trashed);
        readers.put(actor, key);
    }

    void stat(Actor actor, String key) {
        KEYS.trashOf(key).ifPresent(backup -> {
            if (!objects.contains(key) && objects.contains(KEYS.manifest(backup))) {
                readers.accept(actor);
            }
        });
    }

    private void judgeComplete(BackupId backup) {
        if (contents.isComplete(backup) && !complete.containsKey(backup)) {
            Set<String> named = contents.named(backup);
            complete.put(backup, named);
            everComplete.put(backup, named);
        }
    }

    private void trashed(BackupId backup) {
        if (complete.containsKey(backup) && complete.lastKey().equals(backup)) {
            endangered.add(backup);
        }
        complete.remove(backup);
    }

    void delete(Actor actor, String key) {
        if (!objects.contains(key)) {
            return;
        }
        complete.forEach((backup, named) -> {
            if (named.contains(key)) {
                throw new Violation("named-objects-stay", actor + " deletes " + key + ", which " + backup + " needs");
            }
        });
        readers.delete(actor, key, everComplete);
        objects.delete(key);
        KEYS.okOf(key).ifPresent(backup -> requireNotEndangered(actor, backup));
        KEYS.manifestOf(key).ifPresent(backup -> requireNotEndangered(actor, backup));
        KEYS.trashOf(key).ifPresent(backup -> {
            endangered.remove(backup);
            judgeComplete(backup);
        });
    }

    private void requireNotEndangered(Actor actor, BackupId backup) {
        if (endangered.contains(backup)) {
            throw new Violation("newest-stays", actor + " deletes " + backup + ", which was the newest when marked");
        }
    }

    /** A restore of the backup starts at this actor. */
    void restores(Actor actor, BackupId backup, String mark) {
        readers.start(actor, backup, mark);
    }

    /**
     * After two quiet collections, which leave everything where no backup was ever complete.
     *
     * @param kept how many complete backups their rule keeps
     */
    void requireClean(int kept) {
        if (everComplete.isEmpty()) {
            return;
        }
        Set<String> needed = new TreeSet<>(Set.of(KEYS.repositoryFile()));
        complete.values().forEach(needed::addAll);
        Set<String> garbage = new TreeSet<>(objects.keys());
        garbage.removeAll(needed);
        long epochs =
                garbage.stream().filter(key -> KEYS.epochOf(key).isPresent()).count();
        garbage.removeIf(key -> KEYS.epochOf(key).isPresent());
        if (!garbage.isEmpty() || epochs > 1) {
            throw new Violation("garbage-gone", epochs + " epochs, and " + garbage);
        }
        if (complete.size() > kept || complete.isEmpty()) {
            throw new Violation("newest-stays", "left are " + complete.keySet() + " of " + everComplete.keySet());
        }
        complete.keySet().forEach(contents::named);
    }
}
