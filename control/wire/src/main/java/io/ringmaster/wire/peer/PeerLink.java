package io.ringmaster.wire.peer;

import io.ringmaster.model.error.ThrowableText;
import io.ringmaster.model.fact.Fact;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.record.DatacenterReport;
import io.ringmaster.wire.client.RefusedException;
import io.ringmaster.wire.client.RingmasterClient;
import io.ringmaster.wire.client.UnreachableException;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The thread that exchanges reports with one datacenter. */
final class PeerLink {
    private static final Logger LOG = LoggerFactory.getLogger(PeerLink.class);

    private final HttpPeers peers;
    private final DatacenterName datacenter;
    private final boolean configured;
    private final Semaphore due = new Semaphore(1);
    private final Map<URI, RingmasterClient> clients = new ConcurrentHashMap<>();
    private final List<URI> given;
    private volatile List<URI> servers;
    private volatile long receivedNanos = System.nanoTime();
    private volatile boolean everReceived;
    private @Nullable Thread thread;
    private @Nullable String silence;

    PeerLink(HttpPeers peers, DatacenterName datacenter, List<URI> servers, boolean configured) {
        this.peers = peers;
        this.datacenter = datacenter;
        this.given = List.copyOf(servers);
        this.servers = given;
        this.configured = configured;
    }

    DatacenterName datacenter() {
        return datacenter;
    }

    List<URI> servers() {
        return servers;
    }

    synchronized void start() {
        if (thread == null && peers.started()) {
            thread = new Thread(this::run, "peer-" + datacenter);
            thread.setDaemon(true);
            thread.start();
        }
    }

    void exchangeNow() {
        due.release();
    }

    synchronized void close() {
        if (thread != null) {
            thread.interrupt();
        }
    }

    /** Notes a report and the server addresses in it. The configured addresses are tried before these. */
    void received(List<URI> urls) {
        receivedNanos = System.nanoTime();
        everReceived = true;
        var all = new LinkedHashSet<>(given);
        all.addAll(urls);
        servers = List.copyOf(all);
    }

    private void run() {
        try {
            while (peers.started()) {
                var unused = due.tryAcquire(peers.timing().interval().toMillis(), TimeUnit.MILLISECONDS);
                due.drainPermits();
                DatacenterReport own = peers.own();
                if (own != null) {
                    exchange(own);
                }
                if (!configured && silentForMs() > peers.timing().memory().toMillis()) {
                    LOG.info(
                            "datacenter {} is forgotten: it is not configured and has been silent for {} s",
                            datacenter,
                            peers.timing().memory().toSeconds());
                    peers.forget(this);
                    return;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void exchange(DatacenterReport own) {
        var reasons = new ArrayList<String>();
        for (URI server : servers) {
            try {
                DatacenterReport theirs =
                        clients.computeIfAbsent(server, peers::client).exchange(own);
                if (theirs.datacenter().equals(datacenter)) {
                    answered(theirs);
                    return;
                }
                reasons.add(server + " is datacenter " + theirs.datacenter() + ", not " + datacenter);
            } catch (UnreachableException e) {
                reasons.add(ThrowableText.of(e));
            } catch (RefusedException e) {
                reasons.add(server.getAuthority() + " refused: " + ThrowableText.of(e));
            } catch (IllegalArgumentException e) {
                reasons.add(server.getAuthority() + " sent an invalid report: " + ThrowableText.of(e));
            }
        }
        failed(reasons.isEmpty() ? "none of its servers is known" : String.join("; ", reasons));
    }

    private void answered(DatacenterReport theirs) {
        received(theirs.servers().stream().map(HttpPeers::baseUrl).toList());
        if (silence != null) {
            LOG.info("datacenter {} answers again", datacenter);
            silence = null;
        }
        peers.report(new Fact.PeerReported(theirs));
    }

    private void failed(String reason) {
        if (everReceived && silentForMs() < peers.timing().expiry().toMillis()) {
            return;
        }
        if (silence == null) {
            LOG.warn("datacenter {} does not answer: {}", datacenter, reason);
        }
        silence = reason;
        peers.report(new Fact.PeerSilent(datacenter, reason));
    }

    private long silentForMs() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - receivedNanos);
    }
}
