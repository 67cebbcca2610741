package io.ringmaster.cli.screen;

import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.plan.PlanStatus;
import io.ringmaster.model.plan.StepState;
import io.ringmaster.wire.api.Condition;
import io.ringmaster.wire.api.Finding;
import java.util.Locale;

/** Styles of states in one table, so that a colour means the same on every screen. */
final class StatusStyle {
    private StatusStyle() {}

    static Line of(Condition condition) {
        return Line.of(
                switch (condition) {
                    case HEALTHY -> Style.GOOD;
                    case FAILED -> Style.BAD;
                    case DEGRADED -> Style.WARN;
                    case CREATING, CHANGING, DELETING -> Style.ACCENT;
                },
                condition.name());
    }

    static Line of(OperatingMode mode) {
        return Line.of(
                switch (mode) {
                    case NORMAL -> Style.GOOD;
                    case DOWN, UNKNOWN, JOINING_FAILED, DECOMMISSION_FAILED -> Style.BAD;
                    case LAUNCHED, STARTING, JOINING, LEAVING, MOVING, DRAINING -> Style.ACCENT;
                    case DRAINED, DECOMMISSIONED -> Style.WARN;
                },
                mode.name());
    }

    static Line of(PlanStatus status) {
        return Line.of(
                switch (status) {
                    case RUNNING -> Style.ACCENT;
                    case PAUSED -> Style.WARN;
                    case COMPLETE -> Style.GOOD;
                    case FAILED -> Style.BAD;
                    case ABORTED, SUPERSEDED -> Style.DIM;
                },
                word(status));
    }

    static Line of(StepState.Status status) {
        return Line.of(
                switch (status) {
                    case PENDING -> Style.DIM;
                    case RUNNING -> Style.ACCENT;
                    case WAITING, FORCED -> Style.WARN;
                    case DONE -> Style.GOOD;
                    case FAILED -> Style.BAD;
                },
                word(status));
    }

    static Line of(AllocationState.Status status) {
        return Line.of(
                switch (status) {
                    case RUNNING -> Style.GOOD;
                    case PENDING, RESERVED, LAUNCHING -> Style.ACCENT;
                    case EXITED, FAILED, UNREACHABLE -> Style.BAD;
                    case RELEASED -> Style.DIM;
                },
                word(status));
    }

    static Line of(Finding.Severity severity) {
        return severity == Finding.Severity.ERROR ? Line.of(Style.BAD, "error") : Line.of(Style.WARN, "warning");
    }

    static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
