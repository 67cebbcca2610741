package io.ringmaster.simulator.repository;

import io.ringmaster.backup.store.BackupStore;
import io.ringmaster.backup.store.Content;
import io.ringmaster.backup.store.ObjectInfo;
import io.ringmaster.backup.store.StoreException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The store as one actor reaches it: each request takes a turn, and the judge sees it. */
final class ActorStore implements BackupStore {
    private final Actor actor;
    private final ActorSchedule schedule;
    private final SimObjects objects;
    private final Judge judge;

    ActorStore(Actor actor, ActorSchedule schedule, SimObjects objects, Judge judge) {
        this.actor = actor;
        this.schedule = schedule;
        this.objects = objects;
        this.judge = judge;
    }

    @Override
    public void put(String key, Content content) throws IOException {
        byte[] bytes;
        try (InputStream in = content.open()) {
            bytes = in.readAllBytes();
        }
        request("put", key, isMark(key), () -> {
            judge.put(actor, key, bytes);
            return "";
        });
    }

    @Override
    public int get(String key, long offset, byte[] into) throws IOException {
        Optional<byte[]> found = request("get", key, false, () -> objects.get(key));
        byte[] bytes =
                found.orElseThrow(() -> new StoreException(StoreException.Reason.MISSING, key + " is missing", null));
        int length = (int) Math.min(into.length, bytes.length - offset);
        System.arraycopy(bytes, (int) offset, into, 0, length);
        return length;
    }

    @Override
    public Optional<ObjectInfo> stat(String key) {
        return request("stat", key, isMark(key), () -> {
            judge.stat(actor, key);
            return objects.stat(key);
        });
    }

    @Override
    public List<ObjectInfo> list(String prefix, @Nullable String after, int limit) {
        return request("list", prefix, isMark(prefix), () -> objects.list(prefix, after, limit));
    }

    /** Real stores delete one by one: others may see some gone and some not. */
    @Override
    public void delete(Collection<String> keys) {
        for (String key : keys) {
            request("delete", key, isMark(key), () -> {
                judge.delete(actor, key);
                return "";
            });
        }
    }

    @Override
    public void close() {}

    private <T> T request(String verb, String key, boolean mark, Supplier<T> effect) {
        boolean killed = schedule.request(actor, mark);
        T answer = effect.get();
        schedule.trace().add(actor.name, verb + " " + brief(key) + (killed ? ", and is killed" : ""));
        if (killed) {
            throw new Killed();
        }
        return answer;
    }

    /** Not the blobs and manifests of nodes, which are many. */
    private static boolean isMark(String key) {
        return !key.contains("/blobs/") && !key.contains("/nodes/");
    }

    /** Without what all keys have in common. */
    private static String brief(String key) {
        return key.substring(Judge.KEYS.root().length());
    }
}
