package io.ringmaster.pool.local;

import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.fleet.PortRange;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.name.RackName;
import io.ringmaster.model.spec.Size;
import io.ringmaster.pool.base.Doors;
import io.ringmaster.pool.local.binaries.Binaries;
import io.ringmaster.ports.ConfigSection;
import io.ringmaster.ports.Pool;
import io.ringmaster.ports.PoolContext;
import io.ringmaster.ports.PoolFactory;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code pool.local}: {@code dist}, {@code cache}, {@code machines}, and optional {@code binaries}, {@code
 * addresses} and {@code accept_directory}.
 */
public final class LocalPoolFactory implements PoolFactory {
    public static final String NAME = "local";

    private static final Pattern RANGE = Pattern.compile("(\\d{1,5})-(\\d{1,5})");

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Supplier<Pool> configure(PoolContext context, ConfigSection section) {
        Path dist = section.requiredPath("dist", "the directory of the built programs");
        Path cache = section.requiredPath("cache", "a directory");
        @Nullable
        Path binaries =
                section.optionalPath("binaries", "a directory or tarball").orElse(null);
        Addresses addresses = section.optional("addresses", "machine or launch", LocalPoolFactory::addresses)
                .orElse(Addresses.MACHINE);
        boolean accept = section.optional("accept_directory", "true or false", LocalPoolFactory::yesOrNo)
                .orElse(false);
        List<Machine> machines = machines(section, addresses);
        section.rejectUnknown();
        return () -> new LocalPool(new LocalPoolSettings(
                context.stateDirectory(),
                machines,
                new CassandraExecutor(dist, new Binaries(cache, binaries), context.locations()),
                addresses,
                new Doors(context.authorities(), context.doors(), Instant::now),
                accept));
    }

    static List<Machine> machines(ConfigSection section, Addresses addresses) {
        var machines = new ArrayList<Machine>();
        var names = new HashSet<MachineName>();
        for (ConfigSection m : section.list("machines")) {
            MachineName name = m.required("name", "a machine name", MachineName::new, new MachineName("none"));
            if (!names.add(name)) {
                m.error("name", "'" + name + "' is given twice");
            }
            String address = m.required("address", "an IP address", ConfigSection::ip, "");
            if (addresses == Addresses.LAUNCH && !address.isEmpty()) {
                LaunchAddresses.unmapped(address).ifPresent(form -> m.error("address", "must be " + form));
            }
            machines.add(new Machine(
                    name,
                    m.required("rack", "a rack name", RackName::new, new RackName("none")),
                    address,
                    m.required("cpus", "a number of cores such as 2 or 1.5", LocalPoolFactory::cpuMillis, 0),
                    m.required("memory", Size.FORM, LocalPoolFactory::bytes, 0L),
                    m.required("disk", Size.FORM, LocalPoolFactory::bytes, 0L),
                    m.required("ports", "a range such as 7000-9999", LocalPoolFactory::ports, new PortRange(1, 1)),
                    false));
            m.rejectUnknown();
        }
        if (machines.isEmpty()) {
            section.error("machines", "must list at least one machine");
        }
        return machines;
    }

    private static Addresses addresses(String text) {
        return switch (text) {
            case "machine" -> Addresses.MACHINE;
            case "launch" -> Addresses.LAUNCH;
            default -> throw new IllegalArgumentException();
        };
    }

    private static boolean yesOrNo(String text) {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException();
        };
    }

    private static int cpuMillis(String text) {
        double cpus = Double.parseDouble(text);
        if (!(cpus > 0 && cpus <= 1024)) {
            throw new IllegalArgumentException("more than 0, at most 1024");
        }
        return (int) Math.round(cpus * 1000);
    }

    private static long bytes(String text) {
        return Size.parse(text).orElseThrow(IllegalArgumentException::new);
    }

    private static PortRange ports(String text) {
        var m = RANGE.matcher(text);
        if (!m.matches()) {
            throw new IllegalArgumentException();
        }
        return new PortRange(Integer.parseInt(m.group(1)), Integer.parseInt(m.group(2)));
    }
}
