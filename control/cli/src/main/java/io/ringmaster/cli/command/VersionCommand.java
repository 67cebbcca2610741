package io.ringmaster.cli.command;

import io.ringmaster.cli.session.SessionSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.ParentCommand;

/** {@code ringmaster version}. */
@Command(name = "version", description = "Print the version of this program and of its Java.")
public final class VersionCommand implements Callable<Integer> {
    @ParentCommand
    private SessionSource root;

    @Override
    public Integer call() {
        var session = root.session();
        session.print(
                Map.of("version", version(), "java", System.getProperty("java.runtime.version")),
                () -> List.of(io.ringmaster.cli.screen.Line.of(line())));
        return 0;
    }

    private static String line() {
        return "ringmaster " + version() + ", Java " + System.getProperty("java.runtime.version");
    }

    private static String version() {
        String built = VersionCommand.class.getPackage().getImplementationVersion();
        return built == null ? "(not packaged)" : built;
    }

    /** For {@code --version}. */
    public static final class Provider implements IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {line()};
        }
    }
}
