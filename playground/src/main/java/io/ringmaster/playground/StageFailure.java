package io.ringmaster.playground;

import static io.ringmaster.cli.screen.Invocation.PROGRAM;

import io.ringmaster.cli.session.ExitCode;
import io.ringmaster.cli.session.Failure;
import java.nio.file.Path;
import java.util.List;

/** A failed stage of the start, with the end of its log. */
record StageFailure(String cause, Path log) {
    private static final int LINES = 12;

    /** The message holds the end of the log, because the log may be deleted with everything else. */
    Failure failure() {
        List<String> tail = LogTail.of(log, LINES);
        String end = tail.isEmpty()
                ? "\n  " + log + " is empty"
                : "\n  the end of " + log + ":\n    " + String.join("\n    ", tail);
        return new Failure(
                ExitCode.FAILED, cause + end, PROGRAM + " doctor; --keep-on-failure keeps all logs for inspection");
    }
}
