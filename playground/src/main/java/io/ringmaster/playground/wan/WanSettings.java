package io.ringmaster.playground.wan;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Settings of all links: {@code links.json}, written by the commands and read by the wan process.
 *
 * @param revision grows with each change; the wan process reports the one in force
 */
public record WanSettings(long revision, List<LinkSetting> links) {
    public WanSettings {
        links = List.copyOf(links);
    }

    /** A link between any two datacenters. */
    public static WanSettings mesh(List<String> datacenters, UnaryOperator<LinkSetting> like) {
        List<LinkSetting> links = new ArrayList<>();
        for (int a = 0; a < datacenters.size(); a++) {
            for (int b = a + 1; b < datacenters.size(); b++) {
                links.add(like.apply(new LinkSetting(datacenters.get(a), datacenters.get(b), true, 0, null)));
            }
        }
        return new WanSettings(1, links);
    }

    /** The next revision, with each link changed. */
    public WanSettings change(UnaryOperator<LinkSetting> change) {
        return new WanSettings(revision + 1, links.stream().map(change).toList());
    }

    static Path file(Path directory) {
        return directory.resolve("links.json");
    }

    /** @throws IOException there are no settings, or they cannot be parsed */
    public static WanSettings read(Path directory) throws IOException {
        return SharedJson.read(file(directory), WanSettings.class);
    }

    public void write(Path directory) throws IOException {
        SharedJson.write(file(directory), this);
    }
}
