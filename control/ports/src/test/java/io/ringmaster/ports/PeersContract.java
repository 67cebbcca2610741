package io.ringmaster.ports;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.fact.Fact;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.record.DatacenterReport;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What every {@link Peers} does. Implementations in which simulated time passes override {@link #pass}.
 */
@Timeout(120)
public abstract class PeersContract {
    protected static final DatacenterName DC1 = new DatacenterName("dc1");
    protected static final DatacenterName DC2 = new DatacenterName("dc2");
    protected static final DatacenterName DC3 = new DatacenterName("dc3");
    /** Calls of {@link #pass} before a wait fails: 30 s of real time. */
    private static final int PATIENCE = 1_500;
    /** Calls of {@link #pass} after which nothing more is expected: 0.5 s of real time. */
    private static final int QUIET = 25;

    private final Map<DatacenterName, Peers> opened = new TreeMap<>();
    private final Map<DatacenterName, RecordingFactSink> received = new TreeMap<>();

    /**
     * The server of a datacenter, reachable for the others but not started. A second call after {@link #stop} is a
     * restart of that server.
     *
     * @param configured the datacenters whose addresses it knows from its settings
     */
    protected abstract Peers open(DatacenterName here, Set<DatacenterName> configured);

    /** Makes the closed server of a datacenter unreachable. */
    protected abstract void stop(DatacenterName datacenter);

    /** Lets 20 ms pass. */
    protected void pass() {
        try {
            Thread.sleep(20);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    private Peers opened(DatacenterName here, DatacenterName... configured) {
        received.put(here, new RecordingFactSink());
        Peers peers = open(here, Set.of(configured));
        opened.put(here, peers);
        return peers;
    }

    Peers started(DatacenterName here, DatacenterName... configured) {
        Peers peers = opened(here, configured);
        peers.start(received.get(here));
        return peers;
    }

    private void stopped(DatacenterName datacenter) {
        opened.remove(datacenter).close();
        stop(datacenter);
    }

    @AfterEach
    final void stopEverything() {
        List.copyOf(opened.keySet()).forEach(this::stopped);
    }

    static DatacenterReport report(DatacenterName datacenter, int machines) {
        return new DatacenterReport(datacenter, List.of(), machines, SampleRecords.AT, List.of());
    }

    private List<Integer> machinesReported(DatacenterName to, DatacenterName from) {
        return received.get(to).all(Fact.PeerReported.class).stream()
                .map(Fact.PeerReported::report)
                .filter(r -> r.datacenter().equals(from))
                .map(DatacenterReport::machines)
                .toList();
    }

    private List<String> silences(DatacenterName to, DatacenterName of) {
        return received.get(to).all(Fact.PeerSilent.class).stream()
                .filter(f -> f.datacenter().equals(of))
                .map(Fact.PeerSilent::reason)
                .toList();
    }

    private void await(String what, BooleanSupplier holds) {
        for (int i = 0; i < PATIENCE; i++) {
            if (holds.getAsBoolean()) {
                return;
            }
            pass();
        }
        throw new AssertionError("not within the limit: " + what + "; came: " + received);
    }

    void awaitReport(DatacenterName to, DatacenterName from, int machines) {
        await(from + " reports " + machines + " machines to " + to, () -> machinesReported(to, from)
                .contains(machines));
    }

    private void awaitSilence(DatacenterName to, DatacenterName of) {
        await(of + " is silent for " + to, () -> !silences(to, of).isEmpty());
    }

    private void quiet() {
        for (int i = 0; i < QUIET; i++) {
            pass();
        }
    }

    @Test
    void the_configured_datacenters_are_known_from_the_beginning() {
        assertThat(opened(DC1, DC2).known()).containsExactly(DC2);
    }

    @Test
    void published_reports_reach_the_other_datacenter_whether_published_before_or_after_the_start() {
        Peers one = opened(DC1, DC2);
        one.publish(report(DC1, 1));
        one.start(received.get(DC1));
        started(DC2, DC1).publish(report(DC2, 2));
        awaitReport(DC1, DC2, 2);
        awaitReport(DC2, DC1, 1);
    }

    @Test
    void a_newer_report_reaches_the_other_datacenter_and_stays_the_last() {
        Peers one = started(DC1, DC2);
        Peers two = started(DC2, DC1);
        two.publish(report(DC2, 1));
        one.publish(report(DC1, 1));
        awaitReport(DC2, DC1, 1);
        for (int machines = 2; machines <= 5; machines++) {
            one.publish(report(DC1, machines));
            awaitReport(DC2, DC1, machines);
        }
        quiet();
        assertThat(machinesReported(DC2, DC1)).endsWith(5);
    }

    @Test
    void publishing_the_same_report_again_is_harmless() {
        Peers one = started(DC1, DC2);
        started(DC2, DC1).publish(report(DC2, 2));
        one.publish(report(DC1, 1));
        one.publish(report(DC1, 1));
        awaitReport(DC2, DC1, 1);
        quiet();
        assertThat(machinesReported(DC2, DC1)).containsOnly(1);
    }

    @Test
    void a_datacenter_that_never_answered_is_silent_with_a_reason_and_stays_known() {
        Peers one = started(DC1, DC2);
        one.publish(report(DC1, 1));
        awaitSilence(DC1, DC2);
        assertThat(silences(DC1, DC2)).allSatisfy(reason -> assertThat(reason).isNotBlank());
        assertThat(machinesReported(DC1, DC2)).isEmpty();
        assertThat(one.known()).containsExactly(DC2);
    }

    @Test
    void a_datacenter_that_has_published_nothing_is_silent() {
        started(DC1, DC2).publish(report(DC1, 1));
        started(DC2, DC1);
        awaitSilence(DC1, DC2);
        assertThat(machinesReported(DC1, DC2)).isEmpty();
    }

    @Test
    void a_datacenter_that_stops_becomes_silent_and_is_reported_again_after_its_restart() {
        Peers one = started(DC1, DC2);
        one.publish(report(DC1, 1));
        started(DC2, DC1).publish(report(DC2, 2));
        awaitReport(DC1, DC2, 2);
        stopped(DC2);
        awaitSilence(DC1, DC2);
        assertThat(one.known()).containsExactly(DC2);
        started(DC2, DC1).publish(report(DC2, 3));
        awaitReport(DC1, DC2, 3);
        awaitReport(DC2, DC1, 1);
    }
}
