package io.ringmaster.cli.screen;

import static io.ringmaster.cli.screen.Invocation.PROGRAM;

import io.ringmaster.model.record.TokenRecord;
import io.ringmaster.wire.api.TokenAnswer;
import io.ringmaster.wire.api.TokenInfo;
import java.util.List;
import java.util.Locale;

/** Screens of API tokens. */
public final class TokenScreen {
    private TokenScreen() {}

    /** The token, which is shown only here. */
    public static List<Line> created(TokenAnswer answer) {
        TokenInfo token = answer.info();
        String rights = token.role().label() + " of clusters '" + token.clusters() + "' until " + token.expires();
        if (answer.token() == null) {
            return List.of(Line.of("dry run: " + token.name() + " would be " + rights + "; nothing was created"));
        }
        return List.of(
                Line.of(answer.token()),
                Line.of(token.name() + " is " + rights),
                Line.of("save the token now, it is not shown again; to end it: " + PROGRAM + " token revoke "
                        + token.id()));
    }

    /** @param width of the terminal in columns */
    public static List<Line> list(List<TokenInfo> tokens, int width) {
        if (tokens.isEmpty()) {
            return List.of(
                    Line.of("no tokens; the content of the server's token_file has the role admin"),
                    Line.of("  try: " + PROGRAM + " token create ci --role operator --clusters 'team-*'"));
        }
        TextTable table = new TextTable()
                .column("ID")
                .column("NAME")
                .column("ROLE")
                .column("CLUSTERS")
                .column("STATE")
                .column("EXPIRES")
                .text("CREATED BY");
        tokens.forEach(t -> table.row(t.id(), t.name(), t.role().label(), t.clusters(), state(t), t.expires(), t.by()));
        return table.lines(width);
    }

    private static Object state(TokenInfo token) {
        String text = token.state().name().toLowerCase(Locale.ROOT);
        return token.state() == TokenRecord.State.VALID ? text : Line.of(Style.BAD, text);
    }
}
