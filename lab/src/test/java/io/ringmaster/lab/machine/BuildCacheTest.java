package io.ringmaster.lab.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BuildCacheTest {
    private static final Path ROOT = Path.of("/root");

    @Test
    void the_cache_is_that_of_the_builds() {
        assertThat(folder(Map.of("RINGMASTER_BUILD_CACHE", "/b", "HOME", "/h"))).isEqualTo("/b/jdks.builds");
        assertThat(folder(Map.of("XDG_CACHE_HOME", "/x", "HOME", "/h"))).isEqualTo("/x/ringmaster/builds/jdks.builds");
        assertThat(folder(Map.of("HOME", "/h"))).isEqualTo("/h/.cache/ringmaster/builds/jdks.builds");
        assertThat(folder(Map.of())).isEqualTo("/root/.build/lab/jdks.builds");
    }

    private static String folder(Map<String, String> environment) {
        return BuildCache.folder(ROOT, environment, "jdks").toString();
    }
}
