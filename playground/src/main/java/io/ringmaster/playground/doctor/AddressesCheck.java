package io.ringmaster.playground.doctor;

import io.ringmaster.playground.loopback.LoopbackBlock;
import java.util.List;

/** Each machine of the local pool has its own loopback address; Linux has all of 127/8 without configuration. */
final class AddressesCheck implements Check {
    @Override
    public Result look(Host host, Demand demand) {
        LoopbackBlock block = host.block();
        List<String> all = block.nodeAddresses(demand.datacenters(), demand.machines());
        List<String> missing = all.stream().filter(a -> !host.canListen(a, 0)).toList();
        if (missing.isEmpty() && !host.blockIsFree()) {
            return Result.warn(
                    "addresses",
                    "other programs listen in " + block,
                    "ss -ltnp src " + block + " shows them; kept data there resume when they are stopped");
        }
        return missing.isEmpty()
                ? Result.ok(
                        "addresses",
                        all.get(0) + " to " + all.get(all.size() - 1) + " can be listened on" + reason(host))
                : Result.fail(
                        "addresses",
                        String.join(", ", missing) + " cannot be listened on",
                        "ip addr add 127.0.0.1/8 dev lo, and look for firewalls on loopback");
    }

    private static String reason(Host host) {
        if (host.block().number() == 1) {
            return "";
        }
        return host.blockIsKept()
                ? "; they are the addresses of the kept data"
                : "; other programs, such as a playground, use the blocks before";
    }
}
