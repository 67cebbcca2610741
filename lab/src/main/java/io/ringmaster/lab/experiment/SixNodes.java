package io.ringmaster.lab.experiment;

import io.ringmaster.lab.bench.Bench;
import io.ringmaster.lab.experiment.MillionPlan.Grouping;
import io.ringmaster.lab.ring.CapLimits;
import io.ringmaster.lab.ring.Caps;
import io.ringmaster.lab.ring.Jvm;
import io.ringmaster.lab.ring.Node;
import io.ringmaster.lab.ring.RingSpec;
import io.ringmaster.lab.ring.StockRing;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/** The six nodes, grouped into rings. Each has a quota of processor time, lifted while code compiles. */
final class SixNodes implements AutoCloseable {
    /** Quota of a node: 1.5 processors of two for all, the rest for the generators. */
    static final double CORES = 0.25;
    /** At the kernel's usual 100 ms a node that has used its 25 ms stands still for 75. */
    static final Duration PERIOD = Duration.ofMillis(10);

    private static final long MEMORY = 2L << 30;
    private static final Duration START = Duration.ofMillis(100);
    private static final long CLEAN_UP_S = 60;

    private final ExecutorService starts = Executors.newFixedThreadPool(MillionPlan.NODES);
    private final List<StockRing> started = Collections.synchronizedList(new ArrayList<>());
    private List<StockRing> rings = List.of();

    private SixNodes() {}

    /** All rings start together. They end with the bench, also in the middle of their start. */
    static SixNodes start(Bench bench, Path jars, Grouping grouping) throws IOException, InterruptedException {
        SixNodes nodes = bench.closing(new SixNodes());
        List<Callable<StockRing>> calls = new ArrayList<>();
        for (int i = 0; i < grouping.rings().size(); i++) {
            Path folder = bench.work().resolve("ring-" + (i + 1));
            int size = grouping.rings().get(i);
            calls.add(() -> {
                StockRing ring = StockRing.start(folder, jars, spec(size));
                nodes.started.add(ring);
                return ring;
            });
        }
        List<StockRing> inOrder = new ArrayList<>();
        try {
            for (Future<StockRing> ring : nodes.starts.invokeAll(calls)) {
                inOrder.add(ring.get());
            }
        } catch (ExecutionException e) {
            nodes.close(); // the rings that did start
            throw new IOException(grouping + ": " + e.getCause(), e.getCause());
        } catch (RejectedExecutionException e) {
            throw new InterruptedException("the run is over");
        }
        nodes.rings = List.copyOf(inOrder);
        nodes.lift();
        return nodes;
    }

    /** One rack: three would be uneven with four nodes. Two processors are no limit on this machine. */
    private static RingSpec spec(int size) {
        Jvm jvm = Jvm.ofThisProcess();
        double all = Runtime.getRuntime().availableProcessors();
        return RingSpec.of(1, size)
                .jvm(new Jvm(jvm.home(), jvm.feature(), jvm.collector(), List.of("-XX:ActiveProcessorCount=1")))
                .caps(new CapLimits(all, START, MEMORY));
    }

    List<StockRing> rings() {
        return rings;
    }

    private List<Caps> caps() {
        return rings.stream()
                .flatMap(ring -> ring.nodes().stream())
                .map(Node::caps)
                .flatMap(Optional::stream)
                .toList();
    }

    void cap(Duration period) throws IOException {
        for (Caps caps : caps()) {
            caps.set(new CapLimits(CORES, period, MEMORY));
        }
    }

    void lift() throws IOException {
        for (Caps caps : caps()) {
            caps.liftCpu();
        }
    }

    /**
     * What a ring has used since its start.
     *
     * @param cpuS processor time
     * @param throttledS time that its nodes stood still at their quota
     */
    record Used(double cpuS, double throttledS) {
        static Used of(StockRing ring) throws IOException {
            double throttled = 0;
            for (Node node : ring.nodes()) {
                Optional<Caps> caps = node.caps();
                throttled += caps.isPresent() ? caps.get().throttledSeconds() : 0;
            }
            return new Used(ring.cpuSeconds(), throttled);
        }

        Used since(Used earlier) {
            return new Used(cpuS - earlier.cpuS, throttledS - earlier.throttledS);
        }
    }

    /** One for each ring, in order. */
    List<Used> used() throws IOException {
        List<Used> used = new ArrayList<>();
        for (StockRing ring : rings) {
            used.add(Used.of(ring));
        }
        return used;
    }

    /** Processor time that the compilers of all nodes have used, in seconds. */
    double compilerS() throws IOException {
        double sum = 0;
        for (StockRing ring : rings) {
            for (Node node : ring.nodes()) {
                sum += node.compilerSeconds();
            }
        }
        return sum;
    }

    /** A start that is under way removes what it has started. */
    @Override
    public void close() throws IOException {
        // an interrupt before this must not keep anything alive
        boolean interrupted = Thread.interrupted();
        IOException failure = null;
        starts.shutdownNow();
        try {
            if (!starts.awaitTermination(CLEAN_UP_S, TimeUnit.SECONDS)) {
                failure = new IOException("a start of nodes still ran after " + CLEAN_UP_S + " s");
            }
        } catch (InterruptedException e) {
            interrupted = true;
            failure = new IOException("interrupted before the starts of nodes had ended", e);
        }
        for (StockRing ring : List.copyOf(started)) {
            try {
                ring.close();
            } catch (IOException e) {
                failure = e;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (failure != null) {
            throw failure;
        }
    }

    @Override
    public String toString() {
        return "six nodes";
    }
}
