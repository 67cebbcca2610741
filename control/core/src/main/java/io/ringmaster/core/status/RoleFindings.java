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
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.node.RoleSeen;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanStatus;
import io.ringmaster.model.plan.StepState;
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
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Finds declared roles that somebody changed by CQL. The datacenter that writes roles reports them. */
record RoleFindings(View view, ClusterName cluster) {
    /** A node reads its roles every 30 s: a report may be older than the end of the step that wrote them. */
    private static final Duration REPORTED_WITHIN = Duration.ofSeconds(60);

    /** From its start, also if it waits then: one that has taken longer may wait for days, for a datacenter. */
    private static final Duration AT_WORK = Duration.ofMinutes(5);

    /** The number of differences that one finding names. */
    private static final int NAMED = 5;

    /** In characters. */
    private static final int LONGEST_NAME = 64;

    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_-]{1," + LONGEST_NAME + "}");

    /** Control characters, those that change the direction of text, halves of pairs, and ends of lines. */
    private static final Pattern UNPRINTABLE = Pattern.compile("[\\p{C}\\p{Zl}\\p{Zp}]");

    List<Finding> all() {
        Optional<List<RoleSeen>> seen = isReportedHere() ? seen() : Optional.empty();
        List<Finding> findings = new ArrayList<>();
        seen.flatMap(this::differences).ifPresent(findings::add);
        seen.flatMap(this::superusers).ifPresent(findings::add);
        return findings;
    }

    private Optional<Finding> differences(List<RoleSeen> seen) {
        if (anyStep(this::isAtWork) || anyStep(this::endedLately)) {
            return Optional.empty();
        }
        return written()
                .map(roles -> new RoleDrift(roles, seen).differences())
                .filter(differences -> !differences.isEmpty())
                .map(differences -> finding(
                        "roles differ from the spec, somebody changed them by CQL: " + first(differences, "; "),
                        Advice.writeRoles(cluster).prefix("write them again: ").suffix("; or change the spec")));
    }

    /** Nothing hides them: a plan that does not end must not shelter an intruder. */
    private Optional<Finding> superusers(List<RoleSeen> seen) {
        List<String> names =
                undeclaredSuperusers(seen).stream().map(RoleFindings::printable).toList();
        return names.isEmpty()
                ? Optional.empty()
                : Optional.of(finding(
                        "superusers that the spec does not declare: " + first(names, ", "),
                        Advice.of("declare them in the spec, or take that back by CQL: REVOKE group FROM role, ALTER"
                                + " ROLE ... WITH SUPERUSER = false or DROP ROLE")));
    }

    /**
     * Those that no version declares which a deploy has written or may be writing. A report may be older than the end
     * of the step that dropped the superusers of earlier versions.
     */
    private Set<String> undeclaredSuperusers(List<RoleSeen> seen) {
        long oldest = anyStep(this::endedLately) ? 0 : view.settledSpecVersion(cluster);
        return view.versions(cluster).values().stream()
                .filter(s -> s.version() >= oldest)
                .flatMap(s -> Stream.ofNullable(s.spec().roles()))
                .map(roles -> new RoleDrift(roles, seen).undeclaredSuperusers())
                .reduce((one, other) -> {
                    Set<String> both = new TreeSet<>(one);
                    both.retainAll(other);
                    return both;
                })
                .orElse(Set.of());
    }

    /** Users choose any name: one that is not plain is quoted and cannot control a terminal. */
    static String printable(String name) {
        if (PLAIN.matcher(name).matches()) {
            return name;
        }
        String shown = UNPRINTABLE.matcher(name).replaceAll("?");
        boolean cut = shown.codePointCount(0, shown.length()) > LONGEST_NAME;
        String start = cut ? shown.substring(0, shown.offsetByCodePoints(0, LONGEST_NAME)) : shown;
        return '"' + start.replace("\"", "\"\"") + '"' + (cut ? ".." : "");
    }

    private Finding finding(String message, Advice advice) {
        return new Finding(cluster.value(), Problem.of(ErrorCode.ROLES_DIFFER, message, advice), null);
    }

    private static String first(Collection<String> all, String between) {
        String named = String.join(between, all.stream().limit(NAMED).toList());
        return all.size() <= NAMED ? named : named + between + "and " + (all.size() - NAMED) + " more";
    }

    private boolean isReportedHere() {
        return view.spec(cluster, view.settledSpecVersion(cluster))
                .or(() -> view.targetSpec(cluster))
                .filter(s -> s.spec().datacenterNames().get(0).equals(view.datacenter()))
                .isPresent();
    }

    /** The roles that a deploy has written: those of the spec, unless that one changes them and is not settled. */
    private Optional<List<RoleSpec>> written() {
        Optional<ClusterSpec> target = view.targetSpec(cluster).map(SpecRecord::spec);
        return view.spec(cluster, view.settledSpecVersion(cluster))
                .flatMap(s -> Optional.ofNullable(s.spec().roles()))
                .filter(roles ->
                        target.filter(t -> Objects.equals(roles, t.roles())).isPresent());
    }

    /** A node in another mode, such as one that hangs, repeats an old report. */
    private Optional<List<RoleSeen>> seen() {
        return view.nodesOf(cluster).stream()
                .flatMap(n -> view.status(n.id()).stream())
                .filter(s -> s.mode() == OperatingMode.NORMAL)
                .flatMap(s -> Stream.ofNullable(s.ring()))
                .flatMap(r -> r.systemKeyspaces().stream())
                .flatMap(k -> Stream.ofNullable(k.roles()))
                .findFirst();
    }

    /** Whether this holds for a plan and a step of it that has begun to write roles. */
    private boolean anyStep(BiPredicate<Plan, StepState> test) {
        return view.plans().values().stream()
                .filter(p -> p.cluster().equals(cluster))
                .anyMatch(p -> p.phases().stream()
                        .flatMap(phase -> phase.steps().stream())
                        .filter(s -> Steps.is(s, WriteRoles.class) || Steps.is(s, RewriteRoles.class))
                        .filter(RoleFindings::hasBegun)
                        .anyMatch(s -> test.test(p, s)));
    }

    /** A step that only waits for its start has written nothing. */
    private static boolean hasBegun(StepState step) {
        return step.status() == StepState.Status.RUNNING
                || step.endedAt() != null
                || !step.memory().isEmpty();
    }

    /** A plan that is paused or has failed may stay so for days. */
    private boolean isAtWork(Plan plan, StepState step) {
        Instant started = step.startedAt();
        return plan.status() == PlanStatus.RUNNING
                && step.endedAt() == null
                && started != null
                && started.plus(AT_WORK).isAfter(view.now());
    }

    private boolean endedLately(Plan plan, StepState step) {
        Instant ended = step.endedAt() == null ? plan.endedAt() : step.endedAt();
        return ended != null && ended.plus(REPORTED_WITHIN).isAfter(view.now());
    }
}
