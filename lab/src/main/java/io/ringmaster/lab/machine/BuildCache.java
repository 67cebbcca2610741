package io.ringmaster.lab.machine;

import java.nio.file.Path;
import java.util.Map;

/** The folder of builds and downloads that clones share, as in tools/cache.sh. */
public final class BuildCache {
    private BuildCache() {}

    /**
     * @param root folder of the checkout, which has the cache where there is no home
     * @param name of what is kept
     */
    public static Path folder(Path root, Map<String, String> environment, String name) {
        String given = environment.getOrDefault("RINGMASTER_BUILD_CACHE", "");
        String user = environment.getOrDefault("XDG_CACHE_HOME", "");
        String home = environment.getOrDefault("HOME", "");
        Path builds = !given.isEmpty()
                ? Path.of(given)
                : !user.isEmpty()
                        ? Path.of(user, "ringmaster/builds")
                        : !home.isEmpty() ? Path.of(home, ".cache/ringmaster/builds") : root.resolve(".build/lab");
        return builds.resolve(name + ".builds");
    }
}
