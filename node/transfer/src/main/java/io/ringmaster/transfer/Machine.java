package io.ringmaster.transfer;

import java.util.function.LongSupplier;

/**
 * What a work has of its machine beside files; the simulator has its own.
 *
 * @param nanos a clock that only runs forward, in nanoseconds
 */
public record Machine(Streams streams, LongSupplier nanos) {
    static Machine real() {
        return withThreads(TransferThreads.count());
    }

    static Machine withThreads(int count) {
        return new Machine(Streams.threads(count), System::nanoTime);
    }
}
