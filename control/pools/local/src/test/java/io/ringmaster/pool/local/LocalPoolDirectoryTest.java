package io.ringmaster.pool.local;

import static io.ringmaster.model.fleet.AllocationState.Status.RUNNING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.ringmaster.model.command.Command;
import io.ringmaster.model.fact.Fact;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** The state directory of the local pool: its id, and an allocation that an older version wrote. */
class LocalPoolDirectoryTest extends LocalPoolFixture {
    @TempDir
    Path directory;

    @Test
    void another_directory_than_that_of_the_nodes_is_refused_unless_it_is_accepted() throws IOException {
        Path first = directory.resolve("first");
        Path second = directory.resolve("second");
        open(first);
        pool.close();
        assertThatThrownBy(() -> open(second))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(second.toString())
                .hasMessageContaining("its id is missing")
                .hasMessageContaining(Files.readString(first.resolve("directory-id")))
                .hasMessageContaining("pool.local.accept_directory: true");
        open(first);
        pool.close();
        open(second, StandInExecutor.WITH_DAEMON, true);
        pool.close();
        open(second);
        pool.close();
        assertThatThrownBy(() -> open(first))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("its id is " + Files.readString(first.resolve("directory-id")))
                .hasMessageContaining(Files.readString(second.resolve("directory-id")));
    }

    @Test
    void a_directory_that_is_only_accepted_is_in_the_log_with_both_ids() throws IOException {
        Path first = directory.resolve("first");
        Path second = directory.resolve("second");
        open(first, StandInExecutor.WITH_DAEMON, true);
        pool.close();
        Files.createDirectories(second);
        Files.writeString(second.resolve("directory-id"), "second-id");
        Logger logger = (Logger) LoggerFactory.getLogger(DirectoryId.class);
        var log = new ListAppender<ILoggingEvent>();
        log.start();
        logger.addAppender(log);
        try {
            open(first, StandInExecutor.WITH_DAEMON, true);
            pool.close();
            assertThat(log.list).isEmpty();
            open(second, StandInExecutor.WITH_DAEMON, true);
        } finally {
            logger.detachAppender(log);
        }
        assertThat(log.list).singleElement().satisfies(event -> {
            assertThat(event.getLevel()).isEqualTo(Level.WARN);
            assertThat(event.getFormattedMessage())
                    .contains("accept_directory", "second-id", Files.readString(first.resolve("directory-id")));
        });
    }

    @Test
    void an_old_copy_is_refused_once_it_has_missed_two_opens() throws IOException {
        open();
        pool.close();
        Path id = state.resolve("directory-id");
        String old = Files.readString(id);
        open();
        pool.close();
        assertThat(id).content().isNotEqualTo(old);
        open();
        pool.close();
        Files.writeString(id, old);
        assertThatThrownBy(() -> open())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("an old copy")
                .hasMessageContaining(old);
    }

    @Test
    void a_directory_is_known_though_its_next_id_was_not_written() throws IOException {
        open();
        pool.close();
        Path id = state.resolve("directory-id");
        String before = Files.readString(id);
        open();
        pool.close();
        Files.writeString(id, before);
        open();
    }

    @Test
    void the_single_id_of_a_former_version_is_known() throws IOException {
        Files.writeString(state.resolve("directory-id"), "former");
        records.put("directory-id", "former".getBytes(StandardCharsets.UTF_8));
        open();
    }

    @Test
    void an_allocation_of_an_older_version_is_read_though_it_holds_an_address() throws IOException {
        open();
        reserve();
        pool.close();
        Path file = state.resolve("allocations/" + allocation.id() + "/allocation.json");
        String text = Files.readString(file)
                .replaceFirst("\"machine\":", "\"address\":\"127.1.9.77\",\"machine\":")
                .replaceFirst(",\"launching\":0,\"launched\":0", "");
        assertThat(text).contains("127.1.9.77").doesNotContain("launch");
        Files.writeString(file, text);
        facts.clear();
        open();
        assertThat(facts.all(Fact.PoolSeen.class).get(0).allocations())
                .singleElement()
                .satisfies(s -> {
                    assertThat(s.allocation()).isEqualTo(allocation);
                    assertThat(s.address())
                            .as("where its executor runs, whatever address the machine has now")
                            .isEqualTo("127.1.9.77");
                });
        assertThat(pool.access(allocation.id()).orElseThrow().baseUrl().getHost())
                .isEqualTo("127.1.9.77");
        pool.relaunch(new Command.Relaunch(allocation, "5.0.9", 1), 1);
        assertThat(await(RUNNING).address()).isEqualTo("127.1.9.1");
        release();
    }
}
