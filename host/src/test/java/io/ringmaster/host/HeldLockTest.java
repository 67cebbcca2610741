package io.ringmaster.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HeldLockTest {
    @TempDir
    Path directory;

    /** Another process that tries to take the lock. */
    public static final class Other {
        public static void main(String[] arguments) throws IOException {
            System.out.print(HeldLock.tryTake(Path.of(arguments[0])).isPresent() ? "taken" : "refused");
        }
    }

    private static String byAnotherProcess(Path file) throws Exception {
        Process other = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Other.class.getName(),
                        file.toString()))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String answer = new String(other.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(other.waitFor()).isZero();
        return answer;
    }

    /** Nothing of the lock is left on the stack. */
    private static boolean takeAndDrop(Path file) throws IOException {
        return HeldLock.tryTake(file).isPresent();
    }

    /** Whatever becomes unreachable here is collected, and its cleaner has run. */
    private static void collect() throws InterruptedException {
        for (int i = 0; i < 5; i++) {
            System.gc();
            Thread.sleep(50);
        }
    }

    @Test
    void a_lock_that_nobody_keeps_survives_collections() throws Exception {
        Path file = directory.resolve("lock");

        assertThat(takeAndDrop(file)).isTrue();
        collect();

        assertThat(byAnotherProcess(file)).isEqualTo("refused");
    }

    @Test
    void a_second_attempt_in_this_process_is_refused_and_costs_the_first_nothing() throws Exception {
        Path file = directory.resolve("lock");
        Path link = Files.createSymbolicLink(directory.resolve("link"), directory);

        HeldLock held = HeldLock.tryTake(file).orElseThrow();
        try (held) {
            assertThat(HeldLock.tryTake(link.resolve("lock"))).isEmpty();
            collect();
            assertThat(byAnotherProcess(file)).isEqualTo("refused");
        }
        assertThat(byAnotherProcess(file)).isEqualTo("taken");
        assertThat(takeAndDrop(file)).isTrue();
    }

    @Test
    void the_next_one_waits_for_the_holder() throws Exception {
        Path file = directory.resolve("lock");
        HeldLock held = HeldLock.tryTake(file).orElseThrow();
        CompletableFuture<HeldLock> next;
        try (held) {
            next = CompletableFuture.supplyAsync(() -> {
                try {
                    return HeldLock.take(file);
                } catch (IOException | InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
            assertThat(next).isNotDone();
        }
        assertThat(next.get(1, TimeUnit.MINUTES)).isNotNull();
    }
}
