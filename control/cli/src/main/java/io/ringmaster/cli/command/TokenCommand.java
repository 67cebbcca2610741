package io.ringmaster.cli.command;

import static io.ringmaster.cli.screen.Invocation.PROGRAM;

import io.ringmaster.cli.screen.Line;
import io.ringmaster.cli.screen.TokenScreen;
import io.ringmaster.cli.session.Durations;
import io.ringmaster.cli.session.Session;
import io.ringmaster.cli.session.SessionSource;
import io.ringmaster.model.access.ClusterPattern;
import io.ringmaster.model.access.Role;
import io.ringmaster.model.name.TokenId;
import io.ringmaster.wire.api.TokenAnswer;
import io.ringmaster.wire.api.TokenAsk;
import io.ringmaster.wire.api.TokenInfo;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code ringmaster token}: the API tokens of people and programs. */
@Command(
        name = "token",
        description = "Create, list and revoke API tokens. Needs the token of an admin.",
        synopsisSubcommandLabel = "VERB",
        footer = {
            "",
            "Examples:",
            "  ringmaster token create ci --role operator --clusters 'team-*' --expires 90d",
            "  ringmaster token list",
            "  ringmaster token revoke dc1-x7k2m9qa",
            "",
            "Roles, each with the rights of those before it:",
            "  viewer    reads",
            "  operator  applies specs, requests operations, controls plans, reads logs",
            "  admin     destroys data, forces, manages tokens"
        })
public final class TokenCommand {
    @ParentCommand
    private SessionSource root;

    @Command(
            name = "create",
            description = {
                "Create a token and print it. It is shown only once: servers keep its hash.",
                "Its holder saves it in ~/.ringmaster/token on their own computer, or elsewhere and names the file with",
                "--token-file. Where a server runs, ~/.ringmaster/token may be its token file: do not overwrite it."
            },
            footer = {
                "",
                "Examples:",
                "  ringmaster token create ci --role operator --clusters 'team-*'",
                "  ringmaster token create grafana --role viewer --clusters '*' --expires 365d -o json"
            })
    void create(
            @Parameters(paramLabel = "NAME", description = "Name of its holder in the audit.") String name,
            @Option(names = "--role", paramLabel = "ROLE", required = true, description = "viewer, operator or admin.")
                    Role role,
            @Option(
                            names = "--clusters",
                            paramLabel = "PATTERN",
                            required = true,
                            description =
                                    "The clusters that it extends to: a name, or a pattern such as 'team-*'. '*' also"
                                            + " extends to machines and the audit.")
                    ClusterPattern clusters,
            @Option(
                            names = "--expires",
                            paramLabel = "TIME",
                            defaultValue = "90d",
                            converter = Lifetime.class,
                            description = "Time until it expires, at most 366d (default: ${DEFAULT-VALUE}).")
                    Duration expires,
            @Option(names = "--dry-run", description = "Check the request, create nothing.") boolean dryRun) {
        Session session = root.session();
        TokenAsk ask = new TokenAsk(name, role, clusters, expires.toSeconds());
        TokenAnswer answer = session.client().createToken(ask, dryRun);
        session.print(answer, () -> TokenScreen.created(answer));
    }

    @Command(
            name = "list",
            description = "List the tokens of the fleet, without the tokens themselves.",
            footer = {"", "Example:", "  ringmaster token list -o json"})
    void list() {
        Session session = root.session();
        List<TokenInfo> tokens = session.client().tokens();
        session.print(tokens, () -> TokenScreen.list(tokens, session.console().width()));
    }

    @Command(
            name = "revoke",
            description = {
                "Revoke a token, of any datacenter: its requests, sessions and event streams end.",
                "A datacenter that does not answer now refuses it once it has heard of the revocation."
            },
            footer = {"", "Example:", "  ringmaster token revoke dc1-x7k2m9qa"})
    void revoke(
            @Parameters(paramLabel = "ID", description = "Id of the token, such as dc1-x7k2m9qa.") TokenId id,
            @Option(names = "--dry-run", description = "Check the request, revoke nothing.") boolean dryRun) {
        Session session = root.session();
        TokenInfo token = session.client().revokeToken(id, dryRun);
        String done = dryRun ? " would be revoked; nothing was changed" : " is revoked";
        session.print(
                token,
                () -> List.of(Line.of(
                        "token " + token.id() + " of " + token.name() + done + "; next: " + PROGRAM + " token list")));
    }

    /** As {@link Durations}, or days. */
    static final class Lifetime implements ITypeConverter<Duration> {
        private static final Pattern DAYS = Pattern.compile("(\\d{1,5})d");

        @Override
        public Duration convert(String text) {
            Matcher days = DAYS.matcher(text);
            return days.matches() ? Duration.ofDays(Long.parseLong(days.group(1))) : new Durations().convert(text);
        }
    }
}
