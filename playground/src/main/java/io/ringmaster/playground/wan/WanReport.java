package io.ringmaster.playground.wan;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the process that carries the packets tells: {@code report.json}.
 *
 * @param pid its own
 * @param revision of the settings in force; 0 before any were
 */
public record WanReport(long pid, long revision, List<Place> places, List<Traffic> links) {
    public WanReport {
        places = List.copyOf(places);
        links = List.copyOf(links);
    }

    /**
     * A datacenter's network namespace. It ends with the last process that uses it and leaves no name or mount behind.
     *
     * @param descriptor under which the process holds it
     */
    public record Place(String datacenter, int descriptor) {}

    /**
     * One link.
     *
     * @param measuredMicros the round trip that small packets take now, the median of some; null when none came back
     * @param forwarded packets, both directions together
     * @param dropped because it was cut, its queue was full or its other end was down
     */
    public record Traffic(LinkSetting setting, @Nullable Long measuredMicros, long forwarded, long dropped) {}

    /** For {@code nsenter --net}. */
    @JsonIgnore
    public Path namespace(String datacenter) {
        int descriptor = places.stream()
                .filter(p -> p.datacenter().equals(datacenter))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no datacenter '" + datacenter + "'"))
                .descriptor();
        return Path.of("/proc", Long.toString(pid), "fd", Integer.toString(descriptor));
    }

    static Path file(Path directory) {
        return directory.resolve("report.json");
    }

    /** @throws IOException there is none, or it cannot be understood */
    public static WanReport read(Path directory) throws IOException {
        return SharedJson.read(file(directory), WanReport.class);
    }

    void write(Path directory) throws IOException {
        SharedJson.write(file(directory), this);
    }
}
