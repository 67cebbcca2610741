package io.ringmaster.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.ringmaster.wire.api.ClusterStatus;
import java.time.Duration;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A playground of one datacenter, of three nodes at first, for all tests of a class: its rows, three replicas of each,
 * are read and written steadily at LOCAL_QUORUM. When the tests are over nothing of it may still run.
 */
final class ServingDatacenter implements BeforeAllCallback, AfterAllCallback {
    static final Duration SOON = Duration.ofMinutes(6);

    private final String[] options;
    private CqlSession session;
    private SteadyRows rows;

    /** @param options of the playground, beside that of one datacenter */
    ServingDatacenter(String... options) {
        this.options = Stream.concat(Stream.of(EachReplica.options("--datacenters", "1")), Stream.of(options))
                .toArray(String[]::new);
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        ClusterStatus status = Playground.up(options).whole(3, SOON);
        session = Playground.session(status, "dc1");
        rows = new SteadyRows(session, "dc1", 3, "");
    }

    @Override
    public void afterAll(ExtensionContext context) throws Exception {
        for (AutoCloseable open :
                Stream.of(rows, session).filter(Objects::nonNull).toList()) {
            open.close();
        }
        Playground.attached().close();
        assertThat(Processes.mentioning(Playground.HOME.toString())).isEmpty();
    }

    /** No request failed so far, and each replica has every acknowledged row. */
    void assertNothingLost() {
        rows.assertNothingLost(SOON);
    }

    void changeSchema(String statement) {
        session.execute(statement);
    }

    void execute(SimpleStatement statement) {
        session.execute(statement);
    }

    /** No more reads and writes from now on. */
    void rest() {
        rows.close();
    }

    static SimpleStatement quorum(String statement) {
        return SteadyRows.quorum(statement);
    }
}
