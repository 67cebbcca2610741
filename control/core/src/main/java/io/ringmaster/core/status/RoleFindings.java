package io.ringmaster.core.status;

import io.ringmaster.core.status.LocalClusterStatus.Finding;
import io.ringmaster.core.step.RewriteRoles;
import io.ringmaster.core.step.Steps;
import io.ringmaster.core.step.WriteRoles;
import io.ringmaster.core.view.View;
import io.ringmaster.model.error.Advice;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.node.RoleSeen;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.record.SpecRecord;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.model.spec.RoleSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Finds declared roles that somebody changed by CQL. The datacenter that writes roles reports them. */
record RoleFindings(View view, ClusterName cluster) {
    /** A node reads its roles every 30 s: a report may be older than the end of the plan that wrote them. */
    private static final Duration REPORTED_WITHIN = Duration.ofSeconds(60);

    /** The number of differences that one finding names. */
    private static final int NAMED = 5;

    List<Finding> all() {
        Optional<List<RoleSpec>> declared = written();
        Optional<List<RoleSeen>> seen = seen();
        return declared.isEmpty() || seen.isEmpty() || isWriting()
                ? List.of()
                : compare(new RoleDrift(declared.get(), seen.get()));
    }

    private List<Finding> compare(RoleDrift drift) {
        List<Finding> findings = new ArrayList<>();
        List<String> differences = drift.differences();
        if (!differences.isEmpty()) {
            findings.add(finding(
                    "roles differ from the spec, somebody changed them by CQL: " + first(differences, "; "),
                    Advice.writeRoles(cluster).prefix("write them again: ").suffix("; or change the spec")));
        }
        Set<String> superusers = drift.undeclaredSuperusers();
        if (!superusers.isEmpty()) {
            findings.add(finding(
                    "superusers that the spec does not declare: " + first(superusers, ", "),
                    Advice.of("declare them in the spec, or take that back by CQL: ALTER ROLE ... WITH SUPERUSER ="
                            + " false, REVOKE or DROP ROLE")));
        }
        return findings;
    }

    private Finding finding(String message, Advice advice) {
        return new Finding(cluster.value(), Problem.of(ErrorCode.ROLES_DIFFER, message, advice), null);
    }

    private static String first(Collection<String> all, String between) {
        String named = String.join(between, all.stream().limit(NAMED).toList());
        return all.size() <= NAMED ? named : named + between + "and " + (all.size() - NAMED) + " more";
    }

    /** The roles that a deploy has written: those of the spec, unless that one changes them and is not settled. */
    private Optional<List<RoleSpec>> written() {
        Optional<ClusterSpec> target = view.targetSpec(cluster).map(SpecRecord::spec);
        return view.spec(cluster, view.settledSpecVersion(cluster))
                .map(SpecRecord::spec)
                .filter(s -> s.datacenterNames().get(0).equals(view.datacenter()))
                .flatMap(s -> Optional.ofNullable(s.roles()))
                .filter(roles ->
                        target.filter(t -> Objects.equals(roles, t.roles())).isPresent());
    }

    private Optional<List<RoleSeen>> seen() {
        return view.nodesOf(cluster).stream()
                .flatMap(n -> view.status(n.id()).stream())
                .flatMap(s -> Stream.ofNullable(s.ring()))
                .flatMap(r -> r.systemKeyspaces().stream())
                .flatMap(k -> Stream.ofNullable(k.roles()))
                .findFirst();
    }

    /** Whether a plan writes roles, or did so lately. */
    private boolean isWriting() {
        return view.plans().values().stream()
                .filter(p -> p.cluster().equals(cluster) && !isOverForLong(p))
                .flatMap(p -> p.phases().stream())
                .flatMap(phase -> phase.steps().stream())
                .anyMatch(s -> Steps.is(s, WriteRoles.class) || Steps.is(s, RewriteRoles.class));
    }

    private boolean isOverForLong(Plan plan) {
        Instant ended = plan.endedAt();
        return plan.status().isOver()
                && (ended == null || !ended.plus(REPORTED_WITHIN).isAfter(view.now()));
    }
}
