package io.ringmaster.executor.supervisor;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.executor.TestTargets;
import io.ringmaster.executor.configuration.Installation;
import io.ringmaster.executor.configuration.NodeFiles;
import io.ringmaster.executor.state.StatusBoard.Posted;
import io.ringmaster.json.Json;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.NodeTarget;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.node.TaskStatus;
import io.ringmaster.model.node.TlsStatus;
import io.ringmaster.model.spec.TlsSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Servers send a target with TLS only to an executor that reports that it knows TLS. */
@Timeout(60)
class TlsReportTest {
    @TempDir
    Path directory;

    private NodeFiles files;
    private Supervisor supervisor;
    private Thread running;

    @BeforeEach
    void a_new_executor() throws IOException {
        files = new NodeFiles(directory);
        files.create();
        supervisor = supervisor(files);
        running = new Thread(supervisor, "supervisor");
        running.start();
    }

    private Supervisor supervisor(NodeFiles its) throws IOException {
        Path none = directory.resolve("none");
        return new Supervisor(
                TestTargets.first().target().node(),
                TestTargets.ADDRESS,
                its,
                new Installation(none, none, none, null, null),
                null,
                Map.of(),
                0);
    }

    @AfterEach
    void end() throws InterruptedException {
        running.interrupt();
        running.join();
    }

    private NodeStatus await(String activity) throws InterruptedException {
        Posted posted = supervisor.board().read();
        while (!posted.status().activity().equals(activity)) {
            posted = supervisor.board().readAfter(posted.revision(), Duration.ofSeconds(1));
        }
        return posted.status();
    }

    @Test
    void anExecutorReportsThatItKnowsTlsBeforeItsFirstTargetAndMakesNoKeyYet() throws Exception {
        assertThat(await("waits for its first target").tls()).isEqualTo(TlsStatus.UNUSED);
        assertThat(supervisor
                        .targets()
                        .accept(TestTargets.first()
                                .with("tls", TlsSpec.INTERNODE)
                                .target()))
                .isEmpty();
        TlsStatus used = await("waits for its certificate from a server of dc1").tls();
        assertThat(used).isNotNull();
        assertThat(used.publicKey()).isNotNull();
        assertThat(used.target()).isEqualTo(TlsSpec.INTERNODE);
    }

    @Test
    void aNodeInClearTextReportsTheSame() throws Exception {
        supervisor.targets().accept(TestTargets.first().run(false, 0).target());
        assertThat(await("stopped as asked").tls()).isEqualTo(TlsStatus.UNUSED.following(TlsSpec.OFF));
        assertThat(files.identity()).doesNotExist();
    }

    @Test
    void theUseOfTheVolumeIsReportedSoonAfterTheStart() throws Exception {
        Posted posted = supervisor.board().read();
        while (posted.status().volume() == null) {
            posted = supervisor.board().readAfter(posted.revision(), Duration.ofSeconds(1));
        }
        assertThat(posted.status().volume().usableBytes()).isPositive();
    }

    /** As Kubernetes and Mesos end it: by a signal, soon after the decommission. */
    @Test
    void anExecutorThatEndsAfterItsNodeHasLeftDeletesItsKeys() throws Exception {
        for (TaskStatus.State state : List.of(TaskStatus.State.DONE, TaskStatus.State.FAILED)) {
            NodeFiles its = new NodeFiles(directory.resolve(state.name()));
            its.create();
            Files.createDirectories(its.identity());
            NodeTarget target = TestTargets.first()
                    .task(NodeTask.Kind.DECOMMISSION, Map.of())
                    .target();
            Instant now = Instant.now();
            NodeTask task = Objects.requireNonNull(target.task());
            Files.writeString(
                    its.task(), Json.text(new TaskStatus(task.id(), task.kind(), state, 0, 0, "ranges", "", now, now)));
            Supervisor ended = supervisor(its);
            assertThat(ended.targets().accept(target)).isEmpty();
            ended.end();
            ended.run();
            assertThat(Files.exists(its.identity())).as(state.name()).isEqualTo(state != TaskStatus.State.DONE);
        }
    }
}
