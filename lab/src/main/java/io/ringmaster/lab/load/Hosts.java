package io.ringmaster.lab.load;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where a load goes.
 *
 * @param addresses contact points: host, or host:port
 * @param datacenter the one to send to; null: that of the first contact point
 * @param user for password authentication, its password in the variable METRONOME_PASSWORD; null: none
 */
public record Hosts(List<String> addresses, @Nullable String datacenter, @Nullable String user) {
    public Hosts {
        addresses = List.copyOf(addresses);
        if (addresses.isEmpty()) {
            throw new IllegalArgumentException("no host to send to");
        }
    }

    public static Hosts of(List<String> addresses) {
        return new Hosts(addresses, null, null);
    }

    public static Hosts of(List<String> addresses, String datacenter) {
        return new Hosts(addresses, datacenter, null);
    }

    List<String> options() {
        List<String> options = new ArrayList<>(List.of("--hosts", String.join(",", addresses)));
        if (datacenter != null) {
            options.addAll(List.of("--datacenter", datacenter));
        }
        if (user != null) {
            options.addAll(List.of("--user", user));
        }
        return options;
    }
}
