package io.ringmaster.simulator.run;

import io.ringmaster.simulator.repository.ProtocolBug;
import io.ringmaster.simulator.repository.RepositorySimulation;
import io.ringmaster.simulator.repository.RepositorySimulation.Verdict;
import io.ringmaster.simulator.repository.Workshop;
import java.io.IOException;

/** stub */
public final class RepositoryRuns {
    private RepositoryRuns() {}

    /** stub main. */
    public static void main(String[] args) throws IOException, InterruptedException {
        long from = Long.parseLong(args[0]);
        int runs = Integer.parseInt(args[1]);
        ProtocolBug bug = ProtocolBug.valueOf(args[2]);
        long start = System.nanoTime();
        int failed = 0, backups = 0, restores = 0; long lines = 0;
        try (var workshop = new Workshop()) {
            for (long seed = from; seed < from + runs; seed++) {
                Verdict v = RepositorySimulation.run(seed, bug, args.length > 3 ? System.out::println : l -> {}, workshop);
                backups += v.backups(); restores += v.restores();
                if (!v.passed()) { failed++; System.out.println(seed + " " + v.violation()); }
            }
        }
        System.out.println(runs + " runs, " + failed + " failed " + backups + " backups " + restores + " restores in " + (System.nanoTime() - start) / 1e9);
    }
}
