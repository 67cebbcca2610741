package io.ringmaster.executor.supervisor;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.executor.AdoptedNode;
import io.ringmaster.executor.TestTargets;
import io.ringmaster.executor.configuration.Installation;
import io.ringmaster.executor.configuration.NodeFiles;
import io.ringmaster.host.SmallFileSystem;
import io.ringmaster.json.Json;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ReadOnlyVolumeTest {
    @TempDir
    Path directory;

    @Test
    void it_is_named_with_its_path_and_the_start_is_tried_with_pauses() throws Exception {
        NodeFiles files = new NodeFiles(directory);
        files.create();
        try (SmallFileSystem small = SmallFileSystem.at(files.volume(), 8)) {
            files.create();
            TestTargets target = TestTargets.first();
            SeedServers.write(target.target(), files);
            Files.write(files.target(), Json.bytes(target.target()));
            small.makeReadOnly();
            Path none = directory.resolve("none");
            Supervisor supervisor = new Supervisor(
                    target.target().node(),
                    TestTargets.ADDRESS,
                    files,
                    new Installation(none, none, none, null, null),
                    null,
                    Map.of(),
                    0);
            Thread loop = new Thread(supervisor, "supervisor");
            loop.start();
            try {
                AdoptedNode.until(() -> supervisor.board().read().status().problem() != null);
                Problem problem = supervisor.board().read().status().problem();
                assertThat(problem.code()).isEqualTo(ErrorCode.VOLUME_READ_ONLY);
                assertThat(problem.message()).isEqualTo("its volume " + files.volume() + " cannot be written");
                assertThat(problem.nextStep()).asString().contains("dmesg");
                small.makeWritable();
                AdoptedNode.until(() -> {
                    Problem next = supervisor.board().read().status().problem();
                    return next != null && next.code() != ErrorCode.VOLUME_READ_ONLY;
                });
            } finally {
                loop.interrupt();
                loop.join();
            }
        }
    }
}
