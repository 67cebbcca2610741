package io.ringmaster.lab.experiment;

import io.ringmaster.lab.bench.Experiment;
import io.ringmaster.lab.figure.Conclusion;
import io.ringmaster.lab.figure.Form;
import io.ringmaster.lab.figure.Measured;
import io.ringmaster.lab.page.Cells;
import io.ringmaster.lab.page.Plot;
import io.ringmaster.lab.page.Report;
import io.ringmaster.lab.page.Table;
import java.util.ArrayList;
import java.util.List;

/** The page of {@link Startup}. */
record StartupReport(Experiment experiment, Measured measured) {
    /** The talk's six steps, beside the stages that the product reports. */
    private static final List<String> STEPS = List.of(
            "1. receive and accept an offer",
            "2. launch the task",
            "3. fetch executor, JRE and Cassandra",
            "4. launch the executor",
            "5. launch the Cassandra daemon",
            "6. STARTING, JOINING, NORMAL");

    private static final double GOAL_S = 30;
    private static final double GOAL_TIMES = 10;

    Report report() {
        return new Report(
                "A node more in a live ring in at most 30 s (source: 60 s, 30 s wanted), and a new cluster at least"
                        + " ten times faster than Cassandra's defaults.",
                verdict(),
                List.of(nodes(), cluster(), steps()),
                List.of(plot()),
                List.of(
                        "The clock of a cluster starts when the kernel forks the first executor, that of the defaults"
                                + " when it forks the first node. Both stop when every node sees every node NORMAL,"
                                + " asked over CQL of each node (`system_views.gossip_info`). With TLS, where only"
                                + " those are let in who can log in, clock and processor time stop with the command,"
                                + " which is later. Starts in clear text and with TLS took turns.",
                        "The defaults wait 30 + 8 + 8 + 8 s at each node for schema and gossip to settle."
                                + " Ringmaster starts all nodes of an empty cluster at once, with tokens"
                                + " computed before; a live ring gets its nodes one at a time, with Cassandra's"
                                + " bootstrap and its waits. [How fast a cluster starts](../startup.md) has the"
                                + " reasons and the profile.",
                        "The talk gives no time for a step, so that these cells of the source stay empty. Figures without"
                                + " a range are of one run. A sixth of six nodes is what a node costs when all start at"
                                + " once, and no time that anybody waits for one."),
                List.of(
                        "Six nodes share two cores, so that the start of a cluster needs all of their processor time;"
                                + " the source's nodes had 24 cores each.",
                        "Both have heaps of 512 MiB. Cassandra's defaults touch all of it at the start"
                                + " (`AlwaysPreTouch`), so that it is resident at once; the development preset, with"
                                + " the serial collector, touches what it uses.",
                        "The binaries are here already (step 3). The source fetched them from S3 or HDFS.",
                        "The source's minute is of a framework on Mesos; ours is the pool of this computer."
                                + " [The Mesos pool](../mesos.md) is the like of theirs, and is not measured here.",
                        "A ring of this size has almost no data, so that a bootstrap streams nothing."));
    }

    private double value(String key) {
        return measured.value(key);
    }

    private Conclusion verdict() {
        if (Double.isNaN(value("ours.seconds"))) {
            return new Conclusion(Conclusion.Kind.INVALID, "The start of a cluster was not measured.");
        }
        if (measured.about().form() == Form.SHORT) {
            return new Conclusion(
                    Conclusion.Kind.NOT_COMPARABLE,
                    "Six nodes were up after " + Cells.cell(measured, "ours.seconds")
                            + "; the defaults and a live ring are only in the full form.");
        }
        if (Double.isNaN(value("add.node") + value("times_faster"))) {
            return new Conclusion(
                    Conclusion.Kind.INVALID,
                    "Six nodes were up after " + cell("ours.seconds") + "; the defaults: " + cell("defaults.seconds")
                            + ", one node more in a live ring: " + cell("add.node") + ".");
        }
        boolean reached = value("add.node") <= GOAL_S && value("times_faster") >= GOAL_TIMES;
        return new Conclusion(
                reached ? Conclusion.Kind.REACHED : Conclusion.Kind.MISSED,
                "Six nodes were up after " + Cells.cell(measured, "ours.seconds") + ", "
                        + Cells.number(value("times_faster")) + " times faster than Cassandra's defaults ("
                        + Cells.cell(measured, "defaults.seconds") + ")" + encrypted()
                        + "; one node more in a live ring took "
                        + Cells.cell(measured, "add.node") + " (source: 60 s, 30 s wanted).");
    }

    private String encrypted() {
        return Double.isNaN(value("tls.times_faster"))
                ? ""
                : ", and with TLS and logins after " + Cells.cell(measured, "tls.seconds") + ", "
                        + Cells.number(value("tls.times_faster")) + " times faster";
    }

    private Table nodes() {
        return new Table(
                "Time for a node:",
                List.of("", "seconds"),
                List.of(
                        List.of("source (001, slide 21)", "about " + Cells.seed(experiment.seeds(), "node")),
                        List.of("source, wanted (001, slide 35)", Cells.seed(experiment.seeds(), "node_wanted")),
                        List.of("one node more in a live ring, from the offer to NORMAL", cell("add.node")),
                        List.of("the same, with the plan and its checks", cell("add.command")),
                        List.of("a new cluster: a sixth of six nodes at once", cell("node"))));
    }

    private Table cluster() {
        List<List<String>> rows = new ArrayList<>();
        rows.add(row("Ringmaster, in clear text", "ours"));
        rows.add(parts("ours"));
        rows.add(row("Ringmaster, with TLS and logins", "tls"));
        rows.add(parts("tls"));
        if (!Double.isNaN(value("production.seconds"))) {
            rows.add(row("Ringmaster, production preset, with TLS and logins", "production"));
            rows.add(parts("production"));
        }
        rows.add(List.of(
                "Cassandra's defaults, one after another",
                cell("defaults.seconds"),
                "",
                cell("defaults.cpu"),
                share("defaults"),
                cell("defaults.resident")));
        return new Table(
                "Two datacenters of three nodes, from nothing; median of the rounds:",
                List.of("", "every node NORMAL", "whole command", "processor time", "of two cores", "resident, a node"),
                rows);
    }

    private List<String> row(String name, String way) {
        return List.of(
                name,
                cell(way + ".seconds"),
                cell(way + ".command"),
                cell(way + ".cpu"),
                share(way),
                cell(way + ".resident"));
    }

    private List<String> parts(String way) {
        return List.of(
                "of these: daemons, executors, servers",
                "",
                "",
                cell(way + ".cpu_daemons") + ", " + cell(way + ".cpu_executors") + ", " + cell(way + ".cpu_servers"),
                "",
                "");
    }

    private String share(String key) {
        double share = 100 * value(key + ".cpu") / (2 * value(key + ".seconds"));
        return Double.isNaN(share) ? "" : Cells.value(share, "%");
    }

    private Table steps() {
        List<List<String>> rows = new ArrayList<>();
        for (int i = 0; i < STEPS.size(); i++) {
            String stage = Startup.STAGES.get(i);
            rows.add(List.of(STEPS.get(i), "", cell("stage." + stage), cell("add." + stage)));
        }
        return new Table(
                "The talk's six steps. Median of the six nodes (lowest to highest), and the node in the live ring:",
                List.of("step", "source", "new cluster", "live ring"),
                rows);
    }

    private String cell(String key) {
        return Cells.cell(measured, key);
    }

    private Plot plot() {
        List<Plot.Line> bars = new ArrayList<>();
        for (int i = 0; i < STEPS.size(); i++) {
            String stage = Startup.STAGES.get(i);
            List<List<Double>> data = new ArrayList<>();
            data.add(List.of(0.0, finite(value("stage." + stage)) / 1000));
            data.add(List.of(1.0, finite(value("add." + stage)) / 1000));
            bars.add(new Plot.Line(STEPS.get(i), Plot.Kind.BAR, false, data));
        }
        return Plot.lines(
                "steps",
                "Steps of a node's start",
                Plot.Axis.categories("a node of a", List.of("new cluster", "live ring")),
                Plot.Axis.of("time", "s", Plot.Scale.LINEAR),
                bars);
    }

    private static double finite(double value) {
        return Double.isNaN(value) ? 0 : value;
    }
}
