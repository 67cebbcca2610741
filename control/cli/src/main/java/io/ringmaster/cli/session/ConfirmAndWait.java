package io.ringmaster.cli.session;

import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;

/** Options of every command that changes something by plans: preview, confirmation, waiting. */
public abstract class ConfirmAndWait {
    @Option(names = "--dry-run", description = "Show the plan, change nothing.")
    private boolean dryRun;

    @Option(
            names = {"-y", "--yes"},
            description = "Do not ask.")
    private boolean yes;

    @Option(names = "--wait", description = "Show the progress and end when all is done.")
    private boolean wait;

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            converter = LimitConverter.class,
            description = "How long --wait waits (default: ${DEFAULT-VALUE}).")
    private Limit timeout;

    /** @param timeout default of {@code --timeout}, such as {@code 30m} */
    protected ConfirmAndWait(String timeout) {
        this.timeout = new LimitConverter().convert(timeout);
    }

    /** A time as the user writes it, because the help prints the default. */
    private record Limit(String text, Duration time) {
        @Override
        public String toString() {
            return text;
        }
    }

    private static final class LimitConverter implements ITypeConverter<Limit> {
        @Override
        public Limit convert(String text) {
            return new Limit(text, new Durations().convert(text));
        }
    }

    public boolean dryRun() {
        return dryRun;
    }

    public boolean yes() {
        return yes;
    }

    public boolean waits() {
        return wait;
    }

    public Duration timeout() {
        return timeout.time();
    }
}
