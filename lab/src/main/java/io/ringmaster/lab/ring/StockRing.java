package io.ringmaster.lab.ring;

import io.ringmaster.host.CgroupMounts;
import io.ringmaster.host.FileTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One to six nodes of stock Cassandra as children of this process, each on its own loopback address with CQL on port
 * 9042. All start at once with given tokens and without bootstrap, which is safe only on empty disks.
 */
public final class StockRing implements LabRing {
    private static final Duration LIMIT = Duration.ofMinutes(4);
    private static final long PAUSE_MS = 100;
    /** Nobody else has written, so there is no gossip to wait for. */
    private static final String NO_SETTLING = "-Dcassandra.skip_wait_for_gossip_to_settle=0";

    private final Path folder;
    private final AddressBlock block;
    private final List<Node> nodes = new ArrayList<>();

    private StockRing(Path folder, AddressBlock block) {
        this.folder = folder;
        this.block = block;
    }

    /**
     * Starts a ring and waits until each node sees all nodes NORMAL.
     *
     * @param folder for data and logs; it is emptied first, and deleted on close
     * @param jars folder of Cassandra's jars, see {@link CassandraJars}
     * @throws IOException a node ended, or not all are NORMAL in four minutes; nothing is left then
     */
    public static StockRing start(Path folder, Path jars, RingSpec spec) throws IOException, InterruptedException {
        FileTree.delete(folder);
        Files.createDirectories(folder);
        StockRing ring = new StockRing(folder, AddressBlock.take(spec.size()));
        try {
            ring.prepare(jars, spec);
            for (Node node : ring.nodes) {
                node.start();
            }
            ring.awaitAllNormal(LIMIT);
            return ring;
        } catch (IOException | InterruptedException | RuntimeException e) {
            try {
                ring.close();
            } catch (IOException closing) {
                e.addSuppressed(closing);
            }
            throw e;
        }
    }

    private void prepare(Path jars, RingSpec spec) throws IOException {
        CgroupMounts mounts = CgroupMounts.ofThisProcess();
        String prefix = "ringmaster-lab-" + ProcessHandle.current().pid() + "-" + block.block() + "-";
        List<String> seeds = List.of(block.address(1));
        for (int index = 0; index < spec.size(); index++) {
            String name = "node-" + (index + 1);
            String address = block.address(index + 1);
            var files = new StockNode(folder.resolve(name), jars, spec.jvm(), spec.heapMiB());
            List<String> command = files.command(
                    new StockNode.Place(address, "dc1", spec.rack(index), seeds),
                    settings(spec, index),
                    List.of(NO_SETTLING, GcLog.option(files.home().resolve(GcLog.NAME))));
            Optional<Caps> caps = spec.caps().isPresent()
                    ? Optional.of(Caps.create(mounts, prefix + name, spec.caps().get()))
                    : Optional.empty();
            List<String> whole = caps.map(c -> c.entering(command)).orElse(command);
            nodes.add(new Node(name, address, files, whole, caps));
        }
    }

    private static Map<String, String> settings(RingSpec spec, int index) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("cluster_name", "lab");
        settings.put("num_tokens", "1");
        settings.put("initial_token", spec.token(index));
        settings.put("auto_bootstrap", "false");
        // after a stall the commit log believes itself late, and writes would wait for the disk
        settings.put("periodic_commitlog_sync_lag_block", "15s");
        settings.putAll(spec.settings());
        return settings;
    }

    /**
     * Waits until each running node sees all nodes NORMAL.
     *
     * @throws IOException a node has ended, or the time is up
     */
    public void awaitAllNormal(Duration limit) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        for (Node node : nodes) {
            while (!node.sees(nodes.size())) {
                for (Node other : nodes) {
                    other.running();
                }
                if (System.nanoTime() > deadline) {
                    throw new IOException(node.name() + " does not see " + nodes.size() + " nodes NORMAL after "
                            + limit.toSeconds() + " s; its log is " + node.systemLog());
                }
                Thread.sleep(PAUSE_MS);
            }
        }
    }

    public List<Node> nodes() {
        return List.copyOf(nodes);
    }

    /** @param number from 1 on */
    public Node node(int number) {
        return nodes.get(number - 1);
    }

    @Override
    public List<String> addresses() {
        return nodes.stream().map(Node::address).toList();
    }

    /** Processor time of all nodes since their start, in seconds. */
    public double cpuSeconds() throws IOException {
        double sum = 0;
        for (Node node : nodes) {
            sum += node.cpuSeconds();
        }
        return sum;
    }

    /** Stalls all nodes, so that another ring has the processors. */
    public void stall() throws IOException, InterruptedException {
        for (Node node : nodes) {
            node.stall();
        }
    }

    public void resume() throws IOException, InterruptedException {
        for (Node node : nodes) {
            node.resume();
        }
    }

    /** Kills the nodes; removes their control groups, data and logs. */
    @Override
    public void close() throws IOException {
        // an interrupt before this must not keep anything alive
        boolean interrupted = Thread.interrupted();
        IOException failure = null;
        for (Node node : nodes) {
            try {
                node.kill();
                node.remove();
            } catch (IOException e) {
                failure = e;
            } catch (InterruptedException e) {
                interrupted = true;
                failure = new IOException("interrupted before " + node.name() + " had ended", e);
            }
        }
        block.close();
        FileTree.delete(folder);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (failure != null) {
            throw failure;
        }
    }

    @Override
    public String toString() {
        return "ring " + folder.getFileName();
    }
}
