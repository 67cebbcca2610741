package io.ringmaster.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessIdentityTest {
    @TempDir
    Path directory;

    private Process process;

    @BeforeEach
    void start() throws Exception {
        process = new ProcessBuilder("sleep", "60").start();
    }

    @AfterEach
    void end() {
        process.destroyForcibly();
    }

    @Test
    void a_process_is_alive_until_it_ends() throws Exception {
        ProcessIdentity identity = ProcessIdentity.of(process.pid()).orElseThrow();
        assertThat(identity.isAlive()).isTrue();
        process.destroyForcibly().waitFor();
        assertThat(identity.isAlive()).isFalse();
        assertThat(ProcessIdentity.of(process.pid())).isEmpty();
    }

    @Test
    void a_zombie_has_ended() throws Exception {
        // The child ends once the parent is no shell any more: a shell would collect it.
        String child = "(until grep -q sleep /proc/$$/comm; do sleep 0.01; done)";
        Process parent = new ProcessBuilder("sh", "-c", child + " & echo $!; exec sleep 60").start();
        try (var lines = parent.inputReader()) {
            long zombie = Long.parseLong(lines.readLine());
            long deadline = System.nanoTime() + 10_000_000_000L;
            while (ProcessIdentity.of(zombie).isPresent() && System.nanoTime() < deadline) {
                Thread.sleep(10);
            }
            assertThat(ProcessIdentity.of(zombie)).isEmpty();
            assertThat(Files.exists(Path.of("/proc", Long.toString(zombie)))).isTrue();
        } finally {
            parent.destroyForcibly();
        }
    }

    /** Looks at a process while no descriptor is left. */
    public static final class Starved {
        public static void main(String[] arguments) throws IOException {
            ProcessIdentity other =
                    ProcessIdentity.of(Long.parseLong(arguments[0])).orElseThrow();
            List<FileInputStream> open = new ArrayList<>();
            String answer;
            try {
                while (true) {
                    open.add(new FileInputStream("/dev/null"));
                }
            } catch (IOException full) {
                answer = look(other);
            }
            for (FileInputStream file : open) {
                file.close();
            }
            System.out.print(answer + ", then " + look(other));
        }

        private static String look(ProcessIdentity other) {
            try {
                return other.isAlive() ? "alive" : "ended";
            } catch (UncheckedIOException e) {
                return "unknown";
            }
        }
    }

    @Test
    void a_process_that_cannot_be_read_has_not_ended() throws Exception {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String pid = Long.toString(process.pid());
        Process starved = new ProcessBuilder(
                        // a JVM raises its soft limit to the hard one
                        "sh",
                        "-c",
                        "ulimit -n 64; exec \"$@\"",
                        "sh",
                        java,
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Starved.class.getName(),
                        pid)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (var answer = starved.inputReader()) {
            assertThat(answer.readLine()).isEqualTo("unknown, then alive");
        }
        assertThat(starved.waitFor()).isZero();
    }

    @Test
    void another_start_time_or_boot_is_another_process() {
        ProcessIdentity now = ProcessIdentity.of(process.pid()).orElseThrow();
        assertThat(new ProcessIdentity(now.pid(), now.startTicks() - 1, now.boot()).isAlive())
                .isFalse();
        assertThat(new ProcessIdentity(now.pid(), now.startTicks(), "another-boot").isAlive())
                .isFalse();
        assertThat(new ProcessIdentity(now.pid(), now.startTicks(), null).isAlive())
                .isTrue();
    }

    @Test
    void a_pid_file_is_read_and_a_damaged_one_is_empty() throws Exception {
        Path file = directory.resolve("pid");
        assertThat(ProcessIdentity.read(file)).isEmpty();
        Files.writeString(file, "17 4242 boot-1\n");
        assertThat(ProcessIdentity.read(file)).contains(new ProcessIdentity(17, 4242, "boot-1"));
        for (String damaged : new String[] {"", "17", "17 4242", "17 4242\n", "17 4242 boot", "a b c\n"}) {
            Files.writeString(file, damaged);
            assertThat(ProcessIdentity.read(file)).isEmpty();
        }
    }
}
