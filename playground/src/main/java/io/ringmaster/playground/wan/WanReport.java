package io.ringmaster.playground.wan;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The report of the wan process: {@code report.json}.
 *
 * @param pid process id of the wan process
 * @param revision revision of the settings in force; 0 before the first
 */
public record WanReport(long pid, long revision, List<Place> places, List<Traffic> links) {
    public WanReport {
        places = List.copyOf(places);
        links = List.copyOf(links);
    }

    /**
     * The network namespace of a datacenter. It ends with the last process that uses it and leaves no name or mount
     * behind.
     *
     * @param descriptor file descriptor of the namespace in the wan process
     */
    public record Place(String datacenter, int descriptor) {}

    /**
     * One link.
     *
     * @param measuredMicros median round trip of small packets; null when no answer came back
     * @param forwarded packets in both directions
     * @param dropped packets lost because the link was cut, its queue was full or its other end was down
     */
    public record Traffic(LinkSetting setting, @Nullable Long measuredMicros, long forwarded, long dropped) {}

    /** The namespace as an argument of {@code nsenter --net}. */
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

    /** @throws IOException there is no report, or it cannot be parsed */
    public static WanReport read(Path directory) throws IOException {
        return SharedJson.read(file(directory), WanReport.class);
    }

    void write(Path directory) throws IOException {
        SharedJson.write(file(directory), this);
    }
}
