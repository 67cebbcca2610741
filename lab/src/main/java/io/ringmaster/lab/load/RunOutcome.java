package io.ringmaster.lab.load;

import java.nio.file.Path;
import java.util.Optional;

/** How a run of metronome ended, with its result file. */
public sealed interface RunOutcome {
    Path file();

    RunResult result();

    /** A run whose numbers can be trusted. */
    record ValidRun(Path file, RunResult result) implements RunOutcome {}

    /** A run that metronome refuses to vouch for, also when it was repeated. Its figures are not for a page. */
    record InvalidRun(Path file, RunResult result) implements RunOutcome {
        /** Metronome's reasons as one sentence. */
        public String reason() {
            return String.join("; ", result.invalidReasons());
        }
    }

    static RunOutcome of(Path file, RunResult result) {
        return result.valid() ? new ValidRun(file, result) : new InvalidRun(file, result);
    }

    default Optional<RunResult> valid() {
        return result().valid() ? Optional.of(result()) : Optional.empty();
    }
}
