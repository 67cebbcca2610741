package io.ringmaster.engine.store;

import com.sun.jna.Memory;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Native memory that compactions may look at for as long as the process lives. */
final class KeptMemory {
    private static final Queue<Memory> KEPT = new ConcurrentLinkedQueue<>();

    private KeptMemory() {}

    static Memory of(long bytes) {
        Memory memory = new Memory(bytes);
        memory.clear();
        KEPT.add(memory);
        return memory;
    }
}
