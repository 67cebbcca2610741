package io.ringmaster.cli.command;

import io.ringmaster.cli.process.Browser;
import io.ringmaster.cli.screen.Line;
import io.ringmaster.cli.screen.Style;
import io.ringmaster.cli.session.ExitCode;
import io.ringmaster.cli.session.Format;
import io.ringmaster.cli.session.Session;
import io.ringmaster.cli.session.SessionSource;
import io.ringmaster.cli.session.WebLink;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code ringmaster web}: a link that opens the page and logs in. */
@Command(
        name = "web",
        description = "Print a link that opens the page in a browser and logs in: once, within 60 s.",
        footer = {
            "",
            "Examples:",
            "  ringmaster web",
            "  ringmaster web /clusters/rides",
            "  ringmaster web --no-open -o json"
        })
public final class WebCommand implements Callable<Integer> {
    private static final Duration LIFETIME = Duration.ofSeconds(60);

    @ParentCommand
    private SessionSource root;

    @Parameters(
            arity = "0..1",
            paramLabel = "PATH",
            defaultValue = WebLink.START,
            description = "The screen to show, such as /clusters/rides; default: ${DEFAULT-VALUE}.")
    private String path;

    @Option(
            names = "--no-open",
            description = "Only print the link; otherwise a terminal on a desktop opens it as well.")
    private boolean onlyPrint;

    @Override
    public Integer call() {
        String to = WebLink.checked(path);
        Session session = root.session();
        WebLink link = WebLink.create(session.client(), to, LIFETIME);
        session.print(
                link,
                () -> List.of(
                        Line.of(link.url()),
                        Line.of(
                                Style.DIM,
                                "  opens one session, once, within " + LIFETIME.toSeconds() + " s; keep it secret")));
        boolean person = session.format() == Format.TABLE
                && session.console().abilities().interactive();
        if (person && !onlyPrint) {
            Browser.open(link.url(), session.environment().variables());
        }
        return ExitCode.OK.number();
    }
}
