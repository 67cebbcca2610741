package io.ringmaster.cli.command;

import io.ringmaster.cli.process.Browser;
import io.ringmaster.cli.screen.Line;
import io.ringmaster.cli.screen.Style;
import io.ringmaster.cli.session.ExitCode;
import io.ringmaster.cli.session.Format;
import io.ringmaster.cli.session.Session;
import io.ringmaster.cli.session.SessionSource;
import io.ringmaster.cli.session.WebLink;
import io.ringmaster.wire.client.RingmasterClient;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code ringmaster web}: a link that opens the page and logs in. */
@Command(
        name = "web",
        description = {
            "Print a link that opens the page in a browser and logs in: once, within 60 s.",
            "A server that is reached by TLS gets a tunnel on 127.0.0.1, so that the browser needs no certificate: the"
                    + " command runs until Ctrl-C."
        },
        footer = {
            "",
            "Examples:",
            "  ringmaster web",
            "  ringmaster web /clusters/rides",
            "  ringmaster web --no-open -o json",
            "  ringmaster --server https://ringmaster.example.org:8080 web --port 9000"
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

    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "0",
            description = "Of the tunnel; default: a free one.")
    private int port;

    @Override
    public Integer call() throws InterruptedException {
        String to = WebLink.checked(path);
        Session session = root.session();
        RingmasterClient client = session.client();
        boolean tunnels = "https".equals(client.server().getScheme());
        URI base = tunnels ? session.tunnel(client.server(), port).url() : client.server();
        open(session, WebLink.create(client, base, to, LIFETIME));
        if (tunnels) {
            session.console().note(Line.of(Style.DIM, "  tunnel to " + client.server() + "; Ctrl-C ends it"));
            new CountDownLatch(1).await();
        }
        return ExitCode.OK.number();
    }

    private void open(Session session, WebLink link) {
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
    }
}
