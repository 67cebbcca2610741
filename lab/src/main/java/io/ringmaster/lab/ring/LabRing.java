package io.ringmaster.lab.ring;

import java.io.IOException;
import java.util.List;

/** A running cluster that an experiment loads. Nothing of it is left after the close. */
public sealed interface LabRing extends AutoCloseable permits StockRing, ManagedRing {
    /** Where nodes listen for CQL, on port 9042. */
    List<String> addresses() throws IOException, InterruptedException;

    /** The addresses in the form of metronome's {@code --hosts}. */
    default String hosts() throws IOException, InterruptedException {
        return String.join(",", addresses());
    }

    @Override
    void close() throws IOException;
}
