package io.ringmaster.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.view.View;
import io.ringmaster.model.access.ClusterPattern;
import io.ringmaster.model.access.Principal;
import io.ringmaster.model.access.Role;
import io.ringmaster.model.access.Secret;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.TokenRecord;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class CredentialsTest {
    private static final String FILE = "0123456789abcdef";
    private static final DatacenterName DC1 = new DatacenterName("dc1");
    private static final Instant START = Instant.parse("2026-01-02T03:04:05Z");
    private static final Instant END = START.plusSeconds(60);

    private Instant now = START;
    private View view = View.empty(START, 0, DC1, List.of(), List.of());
    private final Credentials credentials = new Credentials(new Secret(FILE), () -> view, () -> now);
    private final ApiToken token = ApiToken.create(DC1);
    private final TokenRecord record = new TokenRecord(
            token.id(),
            "ci",
            Role.OPERATOR,
            new ClusterPattern("team-*"),
            token.sha256(),
            "anna",
            START,
            END,
            null,
            null);

    private void stored(TokenRecord stored) {
        view = view.with(List.of(new Change.Put(stored)));
    }

    @Test
    void the_content_of_the_file_is_the_local_admin_under_the_stated_name() {
        assertThat(credentials.bearer(FILE, "anna", "127.0.0.1")).contains(Principal.localAdmin("anna", "127.0.0.1"));
        assertThat(credentials.bearer(FILE + "x", "anna", "127.0.0.1")).isEmpty();
        assertThat(credentials.bearer("", "anna", "127.0.0.1")).isEmpty();
    }

    @Test
    void a_token_has_the_name_and_the_rights_of_its_record_until_it_expires() {
        stored(record);
        var expected = new Principal(
                "ci", Role.OPERATOR, new ClusterPattern("team-*"), token.id().value(), "127.0.0.1");
        assertThat(credentials.bearer(token.text(), "root", "127.0.0.1")).contains(expected);
        assertThat(credentials.holder(token.id().value(), "root", "127.0.0.1")).contains(expected);
        now = END;
        assertThat(credentials.bearer(token.text(), "root", "127.0.0.1")).isEmpty();
        assertThat(credentials.holder(token.id().value(), "root", "127.0.0.1")).isEmpty();
        assertThat(credentials.refusal(token.text()))
                .contains("expired", token.id().value());
    }

    @Test
    void a_revoked_token_is_refused_at_once() {
        stored(record);
        stored(record.revoke(START, "bob"));
        assertThat(credentials.bearer(token.text(), "ci", "127.0.0.1")).isEmpty();
        assertThat(credentials.holder(token.id().value(), "ci", "127.0.0.1")).isEmpty();
        assertThat(credentials.refusal(token.text())).contains("revoked");
    }

    @Test
    void another_secret_with_the_id_of_a_token_is_wrong_and_learns_nothing_of_it() {
        stored(record.revoke(START, "bob"));
        String forged = "rm_" + token.id() + "_" + "0".repeat(64);
        assertThat(credentials.bearer(forged, "ci", "127.0.0.1")).isEmpty();
        assertThat(credentials.refusal(forged)).isEqualTo("the API token is wrong");
        assertThat(credentials.refusal("rm_dc1-aaaaaaaa_" + "0".repeat(64))).isEqualTo("the API token is wrong");
        assertThat(credentials.refusal("nothing")).isEqualTo("the API token is wrong");
    }

    @Test
    void a_token_never_prints_itself() {
        assertThat(token.text()).matches("rm_dc1-[a-z0-9]{8}_[0-9a-f]{64}");
        assertThat(token.toString())
                .doesNotContain(token.text().substring(token.text().length() - 64));
        assertThat(ApiToken.parse(token.text())).contains(token);
        assertThat(ApiToken.parse(token.text() + "0")).isEmpty();
        assertThat(ApiToken.redacted("DELETE /api/v1/tokens/" + token.text() + "/x"))
                .isEqualTo("DELETE /api/v1/tokens/" + token + "/x");
    }
}
