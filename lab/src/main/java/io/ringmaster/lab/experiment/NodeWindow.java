package io.ringmaster.lab.experiment;

import io.ringmaster.lab.load.Latencies;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Some seconds of one rate a node on all rings.
 *
 * @param rate offered writes/s a node
 * @param seconds length of what is measured
 * @param rings all rings, those that only keep the machine full included
 * @param idleCores processors of the machine without work
 */
record NodeWindow(double rate, double seconds, List<OfRing> rings, double idleCores) {
    /** A service level of the source. */
    static final double P95_MS = 23;

    NodeWindow {
        rings = List.copyOf(rings);
    }

    /**
     * The part of one ring.
     *
     * @param measured whether it has the size that is measured
     * @param invalid why its generator does not vouch for its run; empty: it does
     * @param acknowledged writes in the window
     * @param failed writes, at any time of the run
     * @param cpuS processor time of its nodes
     * @param throttledS time that its nodes stood still at their quota
     * @param generator processor time of the generator, in seconds for a million writes of the whole run
     */
    record OfRing(
            int nodes,
            boolean measured,
            Optional<String> invalid,
            Latencies response,
            long acknowledged,
            long failed,
            double cpuS,
            double throttledS,
            double generator) {}

    private List<OfRing> measured() {
        return rings.stream().filter(OfRing::measured).toList();
    }

    /** Why a generator does not vouch for its run; empty: all do. */
    Optional<String> invalid() {
        String reasons = rings.stream()
                .flatMap(ring -> ring.invalid().stream())
                .distinct()
                .collect(Collectors.joining("; "));
        return reasons.isEmpty() ? Optional.empty() : Optional.of(reasons);
    }

    /** The slowest ring decides. */
    double p95() {
        return measured().stream()
                .mapToDouble(ring -> ring.response().p(95))
                .max()
                .orElse(Double.NaN);
    }

    long failed() {
        return rings.stream().mapToLong(OfRing::failed).sum();
    }

    Ladder.Step step() {
        if (invalid().isPresent()) {
            return Ladder.Step.UNKNOWN;
        }
        return failed() == 0 && p95() <= P95_MS ? Ladder.Step.KEPT : Ladder.Step.MISSED;
    }

    Latencies response() {
        return Latencies.sum(measured().stream().map(OfRing::response).toList());
    }

    int nodes() {
        return measured().stream().mapToInt(OfRing::nodes).sum();
    }

    long acknowledged() {
        return measured().stream().mapToLong(OfRing::acknowledged).sum();
    }

    /** Acknowledged writes/s a node. */
    double writes() {
        return acknowledged() / seconds / nodes();
    }

    double cpuS() {
        return measured().stream().mapToDouble(OfRing::cpuS).sum();
    }

    /** Processors that a node uses. */
    double cores() {
        return cpuS() / seconds / nodes();
    }

    /** Seconds of standing still at the quota, a node and second. */
    double throttled() {
        return measured().stream().mapToDouble(OfRing::throttledS).sum() / seconds / nodes();
    }

    /** Processor time of the generators, in seconds for a million writes. */
    double generator() {
        double weighted = measured().stream()
                .mapToDouble(ring -> ring.generator() * ring.acknowledged())
                .sum();
        return weighted / acknowledged();
    }
}
