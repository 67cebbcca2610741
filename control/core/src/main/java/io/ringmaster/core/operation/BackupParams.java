package io.ringmaster.core.operation;

import io.ringmaster.core.lock.OperationLock;
import io.ringmaster.core.operation.Operation.Param;
import io.ringmaster.core.view.View;
import io.ringmaster.model.error.Advice;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.LocationName;
import io.ringmaster.model.record.SpecRecord;
import io.ringmaster.model.request.ParamKind;
import io.ringmaster.model.spec.Size;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The parameters of the operations on backups, and the arguments of their transfers. */
final class BackupParams {
    static final Param TO =
            new Param("to", "LOCATION", true, "the location of the backups, by its name", ParamKind.LOCATION);
    static final Param FROM =
            new Param("from", TO.form(), true, "the location of the backup, by its name", ParamKind.LOCATION);
    static final Param BANDWIDTH = new Param(
            "bandwidth",
            "100MiB/s",
            false,
            "the most that each node reads or sends per second; default: no limit",
            ParamKind.RATE);

    static final Param KEEP_LAST = new Param(
            "keep_last",
            "N",
            false,
            "afterwards delete the older backups, but for this number of newest ones; default: keep all",
            ParamKind.NUMBER);
    static final Param KEEP_DAILY = new Param(
            "keep_daily",
            "N",
            false,
            "with keep_last: also keep the newest backup of each of this number of days; default: 0",
            ParamKind.NUMBER);

    private static final Pattern KEPT = Pattern.compile("\\d{1,5}");
    private static final String PER_SECOND = "/s";

    private BackupParams() {}

    /** The problems of an operation that writes to a location. */
    static List<Problem> problems(View view, ClusterName cluster, Map<String, String> params) {
        return problems(view, cluster, params, TO);
    }

    /**
     * Values that are malformed, and a cluster whose nodes do not run.
     *
     * @param location the parameter that names the location
     */
    static List<Problem> problems(View view, ClusterName cluster, Map<String, String> params, Param location) {
        List<Problem> problems = new ArrayList<>();
        String name = params.getOrDefault(location.name(), "");
        if (!LocationName.isName(name)) {
            problems.add(wrong(location, name, "must be the name of a location"));
        }
        String bandwidth = params.get(BANDWIDTH.name());
        if (bandwidth != null && bytesPerSecond(bandwidth) <= 0) {
            problems.add(wrong(BANDWIDTH, bandwidth, "must be a rate in KiB/s, MiB/s or GiB/s, such as 100MiB/s"));
        }
        kept(params, KEEP_LAST, 1).ifPresent(problems::add);
        kept(params, KEEP_DAILY, 0).ifPresent(problems::add);
        if (params.containsKey(KEEP_DAILY.name()) && !params.containsKey(KEEP_LAST.name())) {
            problems.add(Problem.field(ErrorCode.REQUEST_INVALID, KEEP_DAILY.name(), "needs " + KEEP_LAST.name()));
        }
        if (OperationLock.isStopped(view, cluster)) {
            problems.add(Problem.of(ErrorCode.CLUSTER_BUSY, cluster + " is stopped", Advice.startCluster(cluster)));
        }
        return problems;
    }

    private static Optional<Problem> kept(Map<String, String> params, Param param, int min) {
        return Optional.ofNullable(params.get(param.name()))
                .filter(text -> !KEPT.matcher(text).matches() || Integer.parseInt(text) < min)
                .map(text -> wrong(param, text, "must be a whole number from " + min + " to 99999"));
    }

    private static Problem wrong(Param param, String value, String wanted) {
        return Problem.field(ErrorCode.REQUEST_INVALID, param.name(), "'" + value + "' " + wanted);
    }

    /** The value of a choice that is none of its choices. */
    static Stream<Problem> notOneOf(Map<String, String> params, Param choice) {
        return Stream.ofNullable(params.get(choice.name()))
                .filter(value -> !choice.choices().contains(value))
                .map(value -> wrong(choice, value, "must be one of " + String.join(", ", choice.choices())));
    }

    private static long bytesPerSecond(String rate) {
        return rate.endsWith(PER_SECOND)
                ? Size.parse(rate.substring(0, rate.length() - PER_SECOND.length()))
                        .orElse(0)
                : 0;
    }

    /** The arguments of a transfer that writes to a location. */
    static Map<String, String> transferArgs(View view, ClusterName cluster, Map<String, String> params) {
        return transferArgs(view, cluster, params, TO);
    }

    /**
     * What every transfer needs: the location, the repository in it and, where there is one, the limit of its rate.
     *
     * @param location the parameter that names the location
     */
    static Map<String, String> transferArgs(
            View view, ClusterName cluster, Map<String, String> params, Param location) {
        Map<String, String> args = new TreeMap<>();
        args.put("to", Objects.requireNonNull(params.get(location.name()), "a required parameter"));
        args.put("cluster", cluster.value());
        // records of older servers have none
        args.put(
                "incarnation",
                view.targetSpec(cluster).map(SpecRecord::incarnation).orElse("first"));
        String bandwidth = params.get(BANDWIDTH.name());
        if (bandwidth != null) {
            args.put("bandwidth", Long.toString(bytesPerSecond(bandwidth)));
        }
        return args;
    }
}
