package io.ringmaster.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanStatus;
import io.ringmaster.model.plan.PlanVerb;
import io.ringmaster.wire.api.ClusterStatus;
import io.ringmaster.wire.api.NodeState;
import io.ringmaster.wire.client.ChangeOptions;
import io.ringmaster.wire.client.RingmasterClient;
import io.ringmaster.wire.client.Scope;
import java.net.ConnectException;
import java.net.Socket;
import java.time.Duration;
import java.util.Comparator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A first deploy that is aborted, and a cluster that grows after it. */
@RealNodes
@Tag("cassandra")
@Timeout(600)
class FirstDeployTest {
    private static final Duration SOON = Duration.ofMinutes(4);
    private static final ClusterName FRESH = new ClusterName("fresh");
    private static final int ROWS = 300;

    private static Playground playground;

    @BeforeAll
    static void machines_with_room() {
        playground = Playground.up("--datacenters", "1", "--nodes", "1");
    }

    @AfterAll
    static void stop() {
        playground.close();
        assertThat(Processes.mentioning(Playground.HOME.toString())).isEmpty();
    }

    @Test
    void nobody_writes_to_nodes_of_an_aborted_first_deploy_and_no_row_is_lost_when_the_cluster_grows() {
        RingmasterClient client = playground.client("dc1");
        SmallCluster.declare(playground, FRESH, 2, "");
        Patience.until("an executor of fresh", SOON, () -> modes(status(client), OperatingMode.STARTING), n -> n > 0);
        client.ask(newest(client).id(), PlanVerb.ABORT, null);
        ClusterStatus closed = Patience.until(
                "both nodes NORMAL", SOON, () -> status(client), s -> modes(s, OperatingMode.NORMAL) == 2);
        assertThat(closed.created()).isFalse();
        assertThat(closed.contactPoints()).isEmpty();
        assertThat(closed.datacenters().get(0).nodes())
                .extracting(NodeState::cqlEndpoint)
                .doesNotContainNull()
                .allSatisfy(FirstDeployTest::assertClosed);

        client.apply(FRESH, client.spec(FRESH).source(), null, ChangeOptions.APPLY);
        ClusterStatus open = playground.whole(FRESH, 2, SOON);
        assertThat(open.created()).isTrue();
        try (CqlSession session = Playground.session(open, "dc1")) {
            Ddl.execute(
                    session,
                    "CREATE KEYSPACE ledger WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': 1}");
            Ddl.execute(session, "CREATE TABLE ledger.rows (id int PRIMARY KEY)");
            for (int id = 0; id < ROWS; id++) {
                session.execute(all("INSERT INTO ledger.rows (id) VALUES (" + id + ")"));
            }
            playground.run("cluster", "scale", "fresh", "--dc", "dc1", "--nodes", "3", "--yes", "--wait");
            playground.whole(FRESH, 3, SOON);
            assertThat(session.execute(all("SELECT id FROM ledger.rows")).all())
                    .as("rows after the cluster has grown")
                    .hasSize(ROWS);
        }
    }

    private static ClusterStatus status(RingmasterClient client) {
        return client.status(FRESH, Scope.FLEET);
    }

    private static long modes(ClusterStatus status, OperatingMode mode) {
        return status.datacenters().get(0).nodes().stream()
                .filter(n -> n.mode() == mode)
                .count();
    }

    private static Plan newest(RingmasterClient client) {
        Plan plan = client.plans(FRESH).items().stream()
                .max(Comparator.comparing(Plan::id))
                .orElseThrow();
        assertThat(plan.status()).isEqualTo(PlanStatus.RUNNING);
        return plan;
    }

    private static void assertClosed(String endpoint) {
        int colon = endpoint.lastIndexOf(':');
        String address = endpoint.substring(0, colon);
        int port = Integer.parseInt(endpoint.substring(colon + 1));
        assertThatThrownBy(() -> new Socket(address, port).close())
                .as("a client at " + endpoint)
                .isInstanceOf(ConnectException.class);
    }

    private static SimpleStatement all(String query) {
        return SimpleStatement.newInstance(query).setConsistencyLevel(DefaultConsistencyLevel.ALL);
    }
}
