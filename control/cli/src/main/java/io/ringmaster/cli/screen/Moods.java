package io.ringmaster.cli.screen;

import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.plan.PlanStatus;
import io.ringmaster.model.plan.StepState;
import io.ringmaster.wire.api.Condition;
import io.ringmaster.wire.api.Finding;
import java.util.Locale;

/** Which tone each state has: one table, so that a colour means the same on every screen. */
final class Moods {
    private Moods() {}

    static Line of(Condition condition) {
        return Line.of(
                switch (condition) {
                    case HEALTHY -> Tone.GOOD;
                    case FAILED -> Tone.BAD;
                    case DEGRADED -> Tone.WARN;
                    case CREATING, CHANGING, DELETING -> Tone.ACCENT;
                },
                condition.name());
    }

    static Line of(OperatingMode mode) {
        return Line.of(
                switch (mode) {
                    case NORMAL -> Tone.GOOD;
                    case DOWN, UNKNOWN, DECOMMISSION_FAILED -> Tone.BAD;
                    case LAUNCHED, STARTING, JOINING, LEAVING, MOVING, DRAINING -> Tone.ACCENT;
                    case DRAINED, DECOMMISSIONED -> Tone.WARN;
                },
                mode.name());
    }

    static Line of(PlanStatus status) {
        return Line.of(
                switch (status) {
                    case RUNNING -> Tone.ACCENT;
                    case PAUSED -> Tone.WARN;
                    case COMPLETE -> Tone.GOOD;
                    case FAILED -> Tone.BAD;
                    case ABORTED, SUPERSEDED -> Tone.DIM;
                },
                word(status));
    }

    static Line of(StepState.Status status) {
        return Line.of(
                switch (status) {
                    case PENDING -> Tone.DIM;
                    case RUNNING -> Tone.ACCENT;
                    case WAITING, FORCED -> Tone.WARN;
                    case DONE -> Tone.GOOD;
                    case FAILED -> Tone.BAD;
                },
                word(status));
    }

    static Line of(AllocationState.Status status) {
        return Line.of(
                switch (status) {
                    case RUNNING -> Tone.GOOD;
                    case RESERVED, LAUNCHING -> Tone.ACCENT;
                    case EXITED, FAILED -> Tone.BAD;
                    case RELEASED -> Tone.DIM;
                },
                word(status));
    }

    static Line of(Finding.Severity severity) {
        return severity == Finding.Severity.ERROR ? Line.of(Tone.BAD, "error") : Line.of(Tone.WARN, "warning");
    }

    static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
