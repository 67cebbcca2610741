package io.ringmaster.engine.store;

import java.util.Arrays;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * The marks of the temporary sstables that this node has written and not deleted yet. A mark is used once: Cassandra
 * streams whole sstables with their metadata, so a marked one on another node, or one that returns from there, is data.
 */
public final class TemporaryMarks {
    /** The mark of a part of a temporary sstable that had no data when its mark was due. It is never issued. */
    public static final int EMPTY = Integer.MAX_VALUE;

    /** Marks of the process before, which may have left sstables. */
    private final Set<Integer> left;

    private final Set<Integer> issued = ConcurrentHashMap.newKeySet();
    private final Consumer<String> persist;

    /**
     * @param stored the text that was persisted last; empty if there is none
     * @param persist makes a text durable before it returns
     */
    TemporaryMarks(String stored, Consumer<String> persist) {
        this.persist = persist;
        this.left = ConcurrentHashMap.newKeySet();
        if (!stored.isEmpty()) {
            Arrays.stream(stored.split(" ", -1)).map(Integer::valueOf).forEach(left::add);
        }
    }

    /** Returns a mark that no sstable has. It is durable, so that the next start finds what a crash leaves. */
    public synchronized int issue() {
        int mark = ThreadLocalRandom.current().nextInt(EMPTY);
        issued.add(mark);
        persist.accept(text());
        return mark;
    }

    public boolean isActive(int mark) {
        return issued.contains(mark) || left.contains(mark);
    }

    /** Called after the sstable with the marks is deleted. */
    public synchronized void retire(Collection<Integer> marks) {
        left.removeAll(marks);
        if (issued.removeAll(marks)) {
            persist.accept(text());
        }
    }

    private String text() {
        return issued.stream().map(String::valueOf).collect(Collectors.joining(" "));
    }
}
