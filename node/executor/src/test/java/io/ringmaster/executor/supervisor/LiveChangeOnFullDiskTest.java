package io.ringmaster.executor.supervisor;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.executor.AdoptedNode;
import io.ringmaster.executor.TestTargets;
import io.ringmaster.executor.configuration.NodeFiles;
import io.ringmaster.host.SmallFileSystem;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.OperatingMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A live change that cannot be recorded is not made again and again. */
@Timeout(60)
class LiveChangeOnFullDiskTest {
    private static final TestTargets JOINED = TestTargets.first().joined();
    private static final TestTargets CHANGED = JOINED.next().spec(2, Map.of("max_hint_window", "4h"));

    /** With more room than the one that a node must have. */
    private static final int MEBIBYTES = 128;

    @TempDir
    Path directory;

    private static long changesOf(AdoptedNode node) {
        return node.companion().requests().stream()
                .filter(request -> request.startsWith("POST /settings"))
                .count();
    }

    private static void awaitAnswers(AdoptedNode node, int more) throws InterruptedException {
        int wanted = node.companion().requests().size() + more;
        AdoptedNode.until(() -> node.companion().requests().size() >= wanted);
    }

    @Test
    void it_is_made_once_there_is_room_and_the_problem_names_it_until_then() throws Exception {
        Files.createDirectories(new NodeFiles(directory).volume());
        try (SmallFileSystem small = SmallFileSystem.at(new NodeFiles(directory).volume(), MEBIBYTES);
                AdoptedNode node = new AdoptedNode(directory, JOINED, "sleep", "600")) {
            node.loop().start();
            node.await(s -> s.mode() == OperatingMode.NORMAL);
            small.fill("filler");
            assertThat(node.supervisor().targets().accept(CHANGED.target())).isEmpty();
            NodeStatus full =
                    node.await(s -> s.problem() != null && s.problem().message().contains("max_hint_window"));
            assertThat(full.problem().code()).isEqualTo(ErrorCode.DISK_FULL);
            awaitAnswers(node, 3);
            assertThat(changesOf(node)).isZero();
            assertThat(node.supervisor().board().read().status().mode()).isEqualTo(OperatingMode.NORMAL);
            Files.delete(small.folder().resolve("filler"));
            node.await(s -> s.appliedSpecVersion() == 2 && s.problem() == null);
            assertThat(changesOf(node)).isEqualTo(1);
        }
    }

    @Test
    void one_that_was_made_is_not_made_again_because_its_files_cannot_be_written() throws Exception {
        try (AdoptedNode node = new AdoptedNode(directory, JOINED, "sleep", "600")) {
            Files.createDirectories(node.files().conf().resolve("logback.xml/obstacle"));
            node.loop().start();
            node.await(s -> s.mode() == OperatingMode.NORMAL);
            assertThat(node.supervisor().targets().accept(CHANGED.target())).isEmpty();
            AdoptedNode.until(() -> changesOf(node) > 0);
            awaitAnswers(node, 3);
            assertThat(changesOf(node)).isEqualTo(1);
            node.await(s -> s.appliedSpecVersion() == 2);
        }
    }
}
