package io.ringmaster.transfer;

import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * What a work has of its machine beside files; the simulator has its own.
 *
 * @param nanos a clock that only runs forward, in nanoseconds
 * @param clock the one that Cassandra notes times by, too
 */
public record TransferMachine(TransferStreams streams, LongSupplier nanos, InstantSource clock) {
    static TransferMachine real() {
        return withThreads(TransferThreads.count());
    }

    static TransferMachine withThreads(int count) {
        return new TransferMachine(TransferStreams.threads(count), System::nanoTime, InstantSource.system());
    }
}
