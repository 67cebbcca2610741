package io.ringmaster.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.spec.Preset;
import io.ringmaster.wire.api.ClusterStatus;
import io.ringmaster.wire.api.NodeState;
import io.ringmaster.wire.client.Scope;
import java.time.Duration;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;

/** The short form of {@link WanTest} and {@link FullDiskTest}: one node in each of two datacenters. */
@RealNodes(preset = Preset.DEVELOPMENT, tls = false, roles = false, why = "a playground with --wan has no TLS")
@Tag("cassandra")
@Timeout(400)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class SmallRingTest {
    private static final Duration SOON = Duration.ofMinutes(3);
    private static final NodeId NODE = NodeId.of("rides/dc2/node-0");
    private static final String MACHINE = "dc2/machine-1";
    private static Playground playground;
    private static CqlSession dc1;
    private static CqlSession dc2;

    @BeforeAll
    static void start() {
        Assumptions.assumeTrue(Trial.hasNetworks(), "this user may make no network namespaces");
        playground = Playground.up(EachReplica.options("--wan", "10ms", "--nodes", "1"));
        ClusterStatus status = playground.whole(2, SOON);
        dc1 = Playground.session(status, "dc1");
        dc2 = Playground.session(status, "dc2");
        CutLine.makeTable(1, dc1, dc2);
    }

    @AfterAll
    static void stop() {
        Stream.of(dc1, dc2).filter(Objects::nonNull).forEach(CqlSession::close);
        if (playground != null) {
            playground.close();
        }
        assertThat(Processes.mentioning(Playground.HOME.toString())).isEmpty();
    }

    @Test
    @Order(1)
    void both_datacenters_go_on_while_the_line_is_cut_and_have_every_row_when_it_is_healed() {
        new CutLine(playground, 1).cutAndHeal(dc1, dc2);
    }

    @Test
    @Order(2)
    void a_node_that_dies_on_a_full_disk_says_so_and_serves_again_when_there_is_room() {
        Assumptions.assumeTrue(SmallMount.isPermitted(), "this user may not mount a small file system");
        playground.run("playground", "kill", MACHINE);
        try (SmallDisk disk = SmallDisk.under(Trial.killed(NODE, MACHINE))) {
            playground.run("playground", "revive", MACHINE);
            try {
                isWaitedFor(disk);
            } finally {
                playground.run("playground", "kill", MACHINE);
            }
        }
    }

    private static void isWaitedFor(SmallDisk disk) {
        playground.whole(2, SOON);
        ProcessHandle daemon = playground.daemon("dc2", 0);
        disk.fill();
        Processes.kill9(daemon);
        Patience.until("the reason why it is down", SOON, SmallRingTest::findings, f -> f.contains("MiB are free at"));
        assertThat(findings()).contains("free disk space");
        assertThat(node().mode()).isNotEqualTo(OperatingMode.NORMAL);
        disk.empty();
        playground.whole(2, SOON);
    }

    private static String findings() {
        return status().findings().toString();
    }

    private static NodeState node() {
        return status().datacenters().get(0).nodes().get(0);
    }

    /** What the server of the datacenter with the small disk knows. */
    private static ClusterStatus status() {
        return playground.client("dc2").status(Playground.RIDES, Scope.LOCAL);
    }
}
