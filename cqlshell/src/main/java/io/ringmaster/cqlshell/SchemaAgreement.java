package io.ringmaster.cqlshell;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.NodeState;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Waits until all nodes agree on a changed schema. It queries the coordinator of the change, the only node that surely
 * knows the new version. The driver queries another node, where all versions may still be the old one.
 */
final class SchemaAgreement {
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final Duration POLL = Duration.ofMillis(100);

    private SchemaAgreement() {}

    /** @return whether all nodes that are up agree in time */
    static boolean await(CqlSession session, ResultSet change) {
        Node node = change.getExecutionInfo().getCoordinator();
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (versions(session, node).size() > 1) {
            if (System.nanoTime() > deadline) {
                return false;
            }
            try {
                Thread.sleep(POLL.toMillis());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
        return true;
    }

    private static Set<@Nullable UUID> versions(CqlSession session, @Nullable Node node) {
        Set<@Nullable UUID> versions = new HashSet<>();
        Stream.of("local", "peers")
                .map(table -> SimpleStatement.newInstance("SELECT host_id, schema_version FROM system." + table)
                        .setNode(node))
                .flatMap(query -> session.execute(query).all().stream())
                .filter(row -> isUp(session, row))
                .forEach(row -> versions.add(row.getUuid("schema_version")));
        return versions;
    }

    private static boolean isUp(CqlSession session, Row row) {
        Node node = session.getMetadata().getNodes().get(row.getUuid("host_id"));
        return node == null || node.getState() != NodeState.DOWN;
    }
}
