package io.ringmaster.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.cli.screen.Line;
import io.ringmaster.cli.screen.TokenScreen;
import io.ringmaster.model.access.ClusterPattern;
import io.ringmaster.model.access.Role;
import io.ringmaster.model.name.TokenId;
import io.ringmaster.model.record.TokenRecord;
import io.ringmaster.wire.api.TokenAnswer;
import io.ringmaster.wire.api.TokenInfo;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.TypeConversionException;

class TokenCommandTest {
    private static final Instant AT = Instant.parse("2026-01-02T03:04:05Z");
    private static final TokenInfo CI = TokenInfo.of(
            new TokenRecord(
                    new TokenId("dc1-x7k2m9qa"),
                    "ci",
                    Role.OPERATOR,
                    new ClusterPattern("team-*"),
                    "hash",
                    "anna",
                    AT,
                    AT.plusSeconds(60),
                    null,
                    null),
            AT);

    private static String text(List<Line> lines) {
        return lines.stream().map(Line::plain).collect(Collectors.joining("\n"));
    }

    @Test
    void a_lifetime_is_days_or_a_time() {
        var lifetime = new TokenCommand.Lifetime();
        assertThat(lifetime.convert("90d")).isEqualTo(Duration.ofDays(90));
        assertThat(lifetime.convert("12h")).isEqualTo(Duration.ofHours(12));
        assertThatThrownBy(() -> lifetime.convert("soon")).isInstanceOf(TypeConversionException.class);
    }

    @Test
    void the_token_is_the_first_line_and_a_dry_run_has_none() {
        assertThat(text(TokenScreen.created(new TokenAnswer(CI, false, "rm_x"))))
                .startsWith("rm_x\nci is operator of clusters 'team-*' until 2026-01-02T03:05:05Z")
                .contains("token revoke dc1-x7k2m9qa");
        assertThat(text(TokenScreen.created(new TokenAnswer(CI, true, null)))).contains("nothing was created");
    }

    @Test
    void the_list_shows_rights_and_state_and_nothing_secret() {
        assertThat(text(TokenScreen.list(List.of(CI), 120)))
                .contains("dc1-x7k2m9qa", "ci", "operator", "team-*", "valid", "anna")
                .doesNotContain("hash");
        assertThat(text(TokenScreen.list(List.of(), 120))).contains("no tokens", "token create");
    }
}
