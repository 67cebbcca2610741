package io.ringmaster.executor.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class OrphanReaperTest {
    private static final List<String> NAMESPACE = List.of("unshare", "--pid", "--fork", "--mount-proc", "--kill-child");

    /** The first process of a container, with two orphans and a child of its own. */
    static final class FirstProcess {
        private FirstProcess() {}

        public static void main(String[] arguments) throws Exception {
            new ProcessBuilder("sh", "-c", "sleep 0.1 & sleep 0.2 &").start().waitFor();
            Process own = new ProcessBuilder("sh", "-c", "exit 7").start();
            while (zombies() < 2) {
                Thread.sleep(10);
            }
            if (arguments.length == 0) {
                new OrphanReaper().reap();
            }
            System.out.println(
                    OrphanReaper.isNeeded() + ", zombies left: " + zombies() + ", own child: " + own.waitFor());
        }

        private static long zombies() throws IOException {
            try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
                return processes.filter(FirstProcess::isZombie).count();
            }
        }

        private static boolean isZombie(Path process) {
            try {
                return process.getFileName().toString().matches("\\d+")
                        && Files.readString(process.resolve("stat")).contains("(sleep) Z ");
            } catch (IOException e) {
                return false;
            }
        }
    }

    private static String run(List<String> jvmOptions, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(NAMESPACE);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvmOptions);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), FirstProcess.class.getName()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return printed;
    }

    @Test
    void orphans_are_reaped_and_the_exit_codes_of_own_children_are_kept() throws Exception {
        List<String> attempt = new ArrayList<>(NAMESPACE);
        attempt.add("true");
        assumeTrue(new ProcessBuilder(attempt).start().waitFor() == 0, "needs root for a namespace of processes");
        assertThat(run(List.of(), "without")).isEqualTo("true, zombies left: 2, own child: 7\n");
        assertThat(run(Container.JVM_OPTIONS)).isEqualTo("true, zombies left: 0, own child: 7\n");
        assertThat(run(List.of())).contains("orphaned processes stay zombies -> start the executor with --add-opens=");
    }

    @Test
    void another_process_has_no_orphans() {
        assertThat(OrphanReaper.isNeeded()).isFalse();
    }
}
