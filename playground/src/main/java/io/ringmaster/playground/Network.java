package io.ringmaster.playground;

import io.ringmaster.playground.loopback.LoopbackBlock;
import io.ringmaster.playground.wan.Subnet;
import io.ringmaster.playground.wan.WanReport;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Addresses of a playground's servers and machines, and the command prefix that starts a server there. */
sealed interface Network {
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

    /** Null in network namespaces. */
    @Nullable
    LoopbackBlock block();

    /** Everything on this computer's loopback device. */
    record Loopback(LoopbackBlock block) implements Network {
        @Override
        public boolean isMoving() {
            return block.moving();
        }

        @Override
        public String machine(int datacenter, int machine) {
            return block.machine(datacenter, machine);
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
        public @Nullable LoopbackBlock block() {
            return null;
        }

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
