package io.ringmaster.lab.load;

import io.ringmaster.lab.bench.Bench;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Recorded outputs: of metronome against its null server, and of cassandra-stress against one Cassandra 5.0.9. */
final class Samples {
    private Samples() {}

    static Path file(String name) {
        try {
            return Path.of(Objects.requireNonNull(Samples.class.getResource("/load/" + name))
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A bench that keeps what it says. */
    static Bench bench(Path folder, List<String> said) {
        return new Bench(Path.of("..").toAbsolutePath().normalize(), folder, folder.resolve("results"), said::add);
    }

    static Bench bench(Path folder) {
        return bench(folder, new ArrayList<>());
    }
}
