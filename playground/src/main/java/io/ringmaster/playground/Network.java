package io.ringmaster.playground;

import io.ringmaster.playground.doctor.Demand;
import io.ringmaster.playground.wan.Subnet;
import io.ringmaster.playground.wan.WanReport;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Addresses of a playground's servers and machines, and the command prefix that starts a server there. */
sealed interface Network {
    /** Everything on this computer's loopback device. */
    Network LOOPBACK = new Loopback(false);

    /** The same, where each launch of a node gets another address. */
    Network MOVING = new Loopback(true);

    String machine(int datacenter, int machine);

    /** The first port that a server tries is {@link PlaygroundServers#FIRST_PORT}. */
    String server(int datacenter);

    /** Command prefix that runs a command in the network of a datacenter. */
    List<String> enter(String datacenter);

    /** Whether each launch of a node gets another address. */
    boolean isMoving();

    /** Null on loopback. */
    @Nullable
    WanOptions wan();

    record Loopback(boolean isMoving) implements Network {
        @Override
        public String machine(int datacenter, int machine) {
            return Demand.address(datacenter, machine);
        }

        @Override
        public String server(int datacenter) {
            return "127.0.0.1";
        }

        @Override
        public List<String> enter(String datacenter) {
            return List.of();
        }

        @Override
        public @Nullable WanOptions wan() {
            return null;
        }
    }

    /** A network namespace for each datacenter. */
    record Namespaces(WanOptions wan, WanReport report) implements Network {
        @Override
        public boolean isMoving() {
            return false;
        }

        @Override
        public String machine(int datacenter, int machine) {
            return new Subnet(wan.network(), datacenter).machine(machine);
        }

        @Override
        public String server(int datacenter) {
            return new Subnet(wan.network(), datacenter).server();
        }

        @Override
        public List<String> enter(String datacenter) {
            return enter(report.namespace(datacenter));
        }

        static List<String> enter(Path namespace) {
            return List.of("nsenter", "--net=" + namespace);
        }
    }
}
