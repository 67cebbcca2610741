package io.ringmaster.engine.store;

import com.sun.jna.Memory;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Native memory that is never freed, because compactions may read it until the process ends. */
final class PermanentMemory {
    private static final Queue<Memory> ALLOCATED = new ConcurrentLinkedQueue<>();

    private PermanentMemory() {}

    static Memory allocate(long bytes) {
        Memory memory = new Memory(bytes);
        memory.clear();
        ALLOCATED.add(memory);
        return memory;
    }
}
