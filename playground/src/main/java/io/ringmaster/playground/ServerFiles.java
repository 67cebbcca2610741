package io.ringmaster.playground;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ringmaster.cli.yaml.YamlWriter;
import io.ringmaster.playground.doctor.Demand;
import io.ringmaster.playground.loopback.LoopbackBlock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The folder of one datacenter's server: configuration, log and state.
 *
 * @param number number of the datacenter, 1 for dc1
 */
record ServerFiles(Path home, int number) {
    private static final int RACKS = 3;
    private static final long GIB = 1024L * 1024 * 1024;

    String datacenter() {
        return "dc" + number;
    }

    Path directory() {
        return PlaygroundState.directory(home).resolve(datacenter());
    }

    Path config() {
        return directory().resolve("server.yaml");
    }

    /** Backups outlive a playground that is deleted. */
    private void writeLocation() throws IOException {
        Path backups = home.resolve("backups");
        Path file = locations().resolve("local.yaml");
        Files.createDirectories(backups);
        Files.writeString(backups.resolve("ringmaster+location"), ""); // as `backup location add` does
        Files.createDirectories(file.getParent());
        Files.writeString(file, "url: " + backups.toUri() + System.lineSeparator());
    }

    /** One directory for the servers of all datacenters, so that a location is added once. */
    private Path locations() {
        return PlaygroundState.directory(home).resolve("locations");
    }

    Path log() {
        return directory().resolve("server.log");
    }

    /** @param nodeMemoryBytes memory of one node */
    void write(Demand size, Network network, ServerAddresses addresses, long nodeMemoryBytes, Path dist)
            throws IOException {
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        root.put("datacenter", datacenter());
        root.put("listen", addresses.listen(number));
        if (addresses.tls()) {
            root.put("tls", "on");
        }
        root.put("state_directory", directory().toString());
        root.put("token_file", home.resolve("token").toString());
        if (addresses.listen(number).startsWith("127.")) {
            root.put("open_reads", true); // the page shows everything without a login
        }
        root.put("backup_locations", locations().toString());
        ArrayNode peers = root.putArray("peers");
        for (int other = 1; other <= addresses.datacenters(); other++) {
            if (other != number) {
                peers.addObject().put("datacenter", "dc" + other).put("url", addresses.url(other));
            }
        }
        root.putObject("zookeeper").put("embedded", true);
        ObjectNode pool = root.putObject("pool").putObject(PlaygroundPoolFactory.NAME);
        pool.put("dist", dist.toString());
        pool.put("cache", home.resolve("cache").toString());
        LoopbackBlock block = network.block();
        if (block != null) {
            pool.put(PlaygroundPoolFactory.HOLD, block.server(number));
        }
        if (network.isMoving()) {
            pool.put("addresses", "launch");
        }
        ArrayNode machines = pool.putArray("machines");
        long memory = Math.max(4 * GIB, nodeMemoryBytes + GIB);
        for (int m = 1; m <= size.machines(); m++) {
            machines.addObject()
                    .put("name", "machine-" + m)
                    .put("rack", "r" + ((m - 1) % RACKS + 1))
                    .put("address", network.machine(number, m))
                    .put("cpus", 2)
                    .put("memory", ExampleSpec.text(memory))
                    .put("disk", "20GiB")
                    .put("ports", "7000-9999");
        }
        Files.createDirectories(directory());
        Files.writeString(config(), YamlWriter.write(root));
        writeLocation();
    }
}
