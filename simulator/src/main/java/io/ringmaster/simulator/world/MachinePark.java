package io.ringmaster.simulator.world;

import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.fleet.MachineBuilder;
import io.ringmaster.model.fleet.PortRange;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.name.RackName;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The machines of a datacenter, and which of them are down, gone or out of the pool's reach. */
public final class MachinePark {
    private static final int MACHINES = 6;
    private static final int RACKS = 3;
    private static final long GIB = 1L << 30;

    private final List<Machine> machines;
    private final Set<MachineName> down = new TreeSet<>();
    private final Set<MachineName> gone = new TreeSet<>();
    private final Set<MachineName> neverReturning = new TreeSet<>();
    private final Set<MachineName> unreachable = new TreeSet<>();

    /** @param number of the datacenter, by which its addresses differ from those of another one */
    MachinePark(PoolKind kind, int number) {
        List<Machine> all = new ArrayList<>();
        for (int m = 1; m <= MACHINES; m++) {
            all.add(new Machine(
                    new MachineName("machine-" + m),
                    new RackName("r" + (1 + m % RACKS)),
                    kind.hasFixedAddresses() ? "127.1." + number + "." + m : null,
                    4000,
                    8 * GIB,
                    100 * GIB,
                    kind.hasFixedAddresses() ? new PortRange(7000, 9999) : null,
                    false));
        }
        this.machines = List.copyOf(all);
    }

    public List<Machine> all() {
        return machines;
    }

    /** The machines that the pool reports now. */
    public List<Machine> offered() {
        return machines.stream()
                .filter(m -> isOffered(m.name()))
                .map(this::seen)
                .toList();
    }

    /** The machine as the pool sees it. */
    public Machine seen(MachineName name) {
        return seen(machine(name));
    }

    private Machine seen(Machine machine) {
        return unreachable.contains(machine.name())
                ? MachineBuilder.builder(machine)
                        .state(Machine.State.UNREACHABLE)
                        .build()
                : machine;
    }

    private Machine machine(MachineName name) {
        return machines.stream().filter(m -> m.name().equals(name)).findFirst().orElseThrow();
    }

    /** The address that all nodes of the machine share; null if each has its own. */
    @Nullable
    String address(MachineName name) {
        return machine(name).address();
    }

    public boolean isOffered(MachineName name) {
        return machines.stream().anyMatch(m -> m.name().equals(name)) && !gone.contains(name);
    }

    public boolean isUp(MachineName name) {
        return !down.contains(name);
    }

    public boolean isReachable(MachineName name) {
        return !unreachable.contains(name);
    }

    void goesDown(MachineName name) {
        down.add(name);
    }

    void isGone(MachineName name) {
        gone.add(name);
    }

    /** A machine that is gone does not return. */
    void neverReturns(MachineName name) {
        neverReturning.add(name);
    }

    /** The pool loses contact with the machine, which may be up. */
    void losesContact(MachineName name) {
        unreachable.add(name);
    }

    /** Returns whether the pool had lost contact with it. */
    boolean returns(MachineName name) {
        if (neverReturning.contains(name)) {
            return false;
        }
        down.remove(name);
        gone.remove(name);
        return unreachable.remove(name);
    }
}
