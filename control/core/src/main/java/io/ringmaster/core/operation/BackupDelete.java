package io.ringmaster.core.operation;

import io.ringmaster.core.step.CollectBackups;
import io.ringmaster.core.step.Steps;
import io.ringmaster.core.view.View;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.plan.Phase;
import io.ringmaster.model.record.SpecRecord;
import io.ringmaster.model.request.LockScope;
import io.ringmaster.model.request.ParamKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** One node of the first datacenter deletes backups, and what no other backup needs. */
public final class BackupDelete implements Operation {
    public static final String NAME = "backup-delete";

    /** The parameter with the ids of the backups. */
    public static final String BACKUPS = "backups";

    private static final Param IDS =
            new Param(BACKUPS, "ID[,ID]", true, "the ids of the backups to delete", ParamKind.BACKUP);
    private static final Pattern ID = Pattern.compile("\\d{8}T\\d{6}Z-[0-9a-f]{4}");

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String summary() {
        return "delete backups, and what no other backup needs";
    }

    @Override
    public Optional<LockScope> lockScope() {
        return Optional.of(LockScope.BACKUP);
    }

    @Override
    public List<Param> params() {
        return List.of(BackupParams.FROM, IDS);
    }

    /** The ids in the parameters of a request. */
    public static List<String> ids(Map<String, String> params) {
        return Arrays.stream(params.getOrDefault(BACKUPS, "").split(",", -1))
                .map(String::strip)
                .distinct()
                .toList();
    }

    @Override
    public Planned plan(View view, ClusterName cluster, Map<String, String> params) {
        List<Problem> problems = new ArrayList<>(BackupParams.problems(view, cluster, params, BackupParams.FROM));
        ids(params).stream()
                .filter(id -> !ID.matcher(id).matches())
                .forEach(id -> problems.add(Problem.field(
                        ErrorCode.REQUEST_INVALID, BACKUPS, "'" + id + "' must look like 20261124T040000Z-3f9c")));
        return problems.isEmpty()
                ? NodeSelector.plan(view, cluster, Map.of(), nodes -> draft(view, cluster, params))
                : new Planned.Refused(problems);
    }

    private static Planned draft(View view, ClusterName cluster, Map<String, String> params) {
        SpecRecord spec = view.targetSpec(cluster).orElseThrow();
        if (!spec.spec().datacenterNames().get(0).equals(view.datacenter())) {
            return new Planned.NotConcerned(
                    "a node of " + spec.spec().datacenterNames().get(0) + " deletes the backups");
        }
        List<String> ids = ids(params);
        Map<String, String> args = BackupParams.transferArgs(view, cluster, params, BackupParams.FROM);
        args.put("delete", String.join(",", ids));
        String from = Objects.requireNonNull(params.get(BackupParams.FROM.name()), "a required parameter");
        return NodeSelector.draft(
                view,
                cluster,
                List.of(Steps.phase(
                        "delete", Phase.Strategy.SERIAL, Stream.of(new CollectBackups(cluster, args, false)))),
                List.of(
                        "deletes from " + from + ": " + String.join(", ", ids),
                        "the other backups stay whole: what they share with these is not deleted",
                        "what is deleted cannot be brought back"));
    }
}
