package io.ringmaster.server.read;

import io.ringmaster.core.view.Observation;
import io.ringmaster.core.view.View;
import io.ringmaster.model.access.Principal;
import io.ringmaster.model.error.Advice;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.error.ThrowableText;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.record.DatacenterReport;
import io.ringmaster.server.refusal.ProblemException;
import io.ringmaster.wire.api.Unanswered;
import io.ringmaster.wire.client.FailureReason;
import io.ringmaster.wire.client.PeerCredentials;
import io.ringmaster.wire.client.RefusedException;
import io.ringmaster.wire.client.RingmasterClient;
import io.ringmaster.wire.client.UnreachableException;
import io.ringmaster.wire.peer.HttpPeers;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/** Asks the servers of other datacenters in parallel, and notes which do not answer. */
public final class FleetReader implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(3);
    /** The other server checks a change with its peers before it answers. */
    private static final Duration PATIENCE_CHANGE = Duration.ofSeconds(30);

    private static final int THREADS = 8;

    private final HttpPeers peers;
    private final PeerCredentials credentials;
    private final Map<URI, RingmasterClient> clients = new ConcurrentHashMap<>();
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS, task -> {
        var thread = new Thread(task, "ask-peers");
        thread.setDaemon(true);
        return thread;
    });

    public FleetReader(HttpPeers peers, PeerCredentials credentials) {
        this.peers = peers;
        this.credentials = credentials;
    }

    /** Answers by datacenter. A refusal counts as unanswered unless the question itself turns it into an answer. */
    public record Answers<T>(Map<DatacenterName, T> answers, List<Unanswered> unanswered) {}

    /**
     * For a read: asks these datacenters except those that were silent at the last exchange, a few seconds ago, so that
     * a datacenter that is down does not slow every read.
     */
    public <T> Answers<T> ask(
            View view, Collection<DatacenterName> datacenters, Function<RingmasterClient, T> question) {
        var silent = new ArrayList<Unanswered>();
        for (DatacenterName name : datacenters) {
            Observation<DatacenterReport> observation = view.peers().get(name);
            if (observation != null && observation.silence() != null) {
                silent.add(unanswered(view, name, observation.silence()));
            }
        }
        var quiet = silent.stream().map(Unanswered::datacenter).toList();
        var answers = askAll(
                view, datacenters.stream().filter(d -> !quiet.contains(d)).toList(), question);
        silent.addAll(answers.unanswered());
        return new Answers<>(answers.answers(), List.copyOf(silent));
    }

    /**
     * For a change: asks silent datacenters too, so that a datacenter that has just come back does not block the
     * change.
     */
    public <T> Answers<T> askAll(
            View view, Collection<DatacenterName> datacenters, Function<RingmasterClient, T> question) {
        var asked = new TreeMap<DatacenterName, CompletableFuture<T>>();
        for (DatacenterName name : datacenters) {
            asked.put(name, CompletableFuture.supplyAsync(() -> tryServers(name, question), threads));
        }
        var unanswered = new ArrayList<Unanswered>();
        var answers = new TreeMap<DatacenterName, T>();
        asked.forEach((name, answer) -> {
            try {
                answers.put(name, answer.get(2 * PATIENCE.toMillis(), TimeUnit.MILLISECONDS));
            } catch (ExecutionException | TimeoutException e) {
                unanswered.add(unanswered(view, name, FailureReason.of(e)));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                unanswered.add(unanswered(view, name, "interrupted"));
            }
        });
        return new Answers<>(answers, unanswered);
    }

    /**
     * Asks one datacenter.
     *
     * @throws ProblemException the datacenter is not known, does not answer, or refuses
     */
    public <T> T askOne(View view, DatacenterName name, Function<RingmasterClient, T> question) {
        if (peers.servers(name).isEmpty()) {
            throw ProblemException.of(Problem.of(
                    ErrorCode.DATACENTER_UNKNOWN,
                    "no server of a datacenter " + name + " is known to " + view.datacenter(),
                    Advice.command("machine list")));
        }
        try {
            return tryServers(name, question);
        } catch (RefusedException e) {
            throw new ProblemException(e.status(), e.problems());
        } catch (UnreachableException e) {
            throw ProblemException.of(Problem.of(
                    ErrorCode.PEER_UNREACHABLE,
                    "datacenter " + name + " does not answer: " + ThrowableText.of(e),
                    "check the server of " + name));
        }
    }

    /**
     * Asks one datacenter for a change that {@code who} requested here, with their rights and audited under their name.
     *
     * @throws ProblemException the datacenter is not known, does not answer, or refuses
     */
    public <T> T change(View view, DatacenterName name, Principal who, Function<RingmasterClient, T> change) {
        return askOne(view, name, peer -> change.apply(peer.as(who, PATIENCE_CHANGE)));
    }

    /** The known base URLs of a datacenter's servers. */
    public List<URI> servers(DatacenterName name) {
        return peers.servers(name);
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }

    private <T> T tryServers(DatacenterName name, Function<RingmasterClient, T> question) {
        var last = new UnreachableException(
                name + ": none of its servers is known", new IOException("none of its servers is known"));
        for (URI server : peers.servers(name)) {
            try {
                return question.apply(clients.computeIfAbsent(server, this::client));
            } catch (UnreachableException e) {
                last = e;
            }
        }
        throw last;
    }

    private RingmasterClient client(URI server) {
        return credentials.client(server, PATIENCE).asPeer();
    }

    private static Unanswered unanswered(View view, DatacenterName name, String reason) {
        Observation<DatacenterReport> observation = view.peers().get(name);
        return new Unanswered(
                name, reason, observation == null || observation.last() == null ? null : observation.at());
    }
}
