import java.util.List;
import java.util.Locale;

/** Formats the rounds as a Markdown table. */
final class Table {
    private static final int CORES = Runtime.getRuntime().availableProcessors();

    private Table() {}

    static String markdown(List<Round> rounds, String ours) {
        StringBuilder text = new StringBuilder(
                "| way | every node sees every node NORMAL | processor seconds (a node) | floor on " + CORES
                        + " cores | of the floor | resident | load before and after |\n|---|---|---|---|---|---|---|\n");
        for (Round round : rounds) {
            text.append(row(round));
        }
        text.append('\n').append(comparison(rounds, ours)).append('\n');
        return text.toString();
    }

    private static String row(Round round) {
        double used = round.processorSeconds();
        double floor = used / CORES;
        return String.format(
                Locale.ROOT,
                "| %s | %.1f s | %.1f (%.1f) | %.1f s | %.1f times | %d MiB | %s |%n",
                round.way(), round.seconds(), used, used / round.daemons().size(), floor, round.seconds() / floor,
                round.residentMebibytes(), round.load());
    }

    private static String comparison(List<Round> rounds, String ours) {
        List<Double> deploys = rounds.stream()
                .filter(round -> round.way().startsWith(ours))
                .map(Round::seconds)
                .sorted()
                .toList();
        List<Round> baselines =
                rounds.stream().filter(round -> !round.way().startsWith(ours)).toList();
        if (deploys.isEmpty() || baselines.isEmpty()) {
            return "Only one way was measured: nothing to compare.";
        }
        Round baseline = baselines.get(0);
        if (baseline.daemons().size() < Fleet.SIZE) {
            return "The baseline was shortened to " + baseline.daemons().size() + " of " + Fleet.SIZE
                    + " nodes: nothing to compare.";
        }
        double median = deploys.get(deploys.size() / 2);
        return String.format(
                Locale.ROOT,
                "Ringmaster's median of %d rounds, %.1f s, is %.1f times faster than the defaults' %.1f s"
                        + " (slowest %.1f, fastest %.1f times).",
                deploys.size(), median, baseline.seconds() / median, baseline.seconds(),
                baseline.seconds() / deploys.get(deploys.size() - 1), baseline.seconds() / deploys.get(0));
    }
}
