package io.ringmaster.core.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.decide.Answer;
import io.ringmaster.core.view.Observation;
import io.ringmaster.core.view.View;
import io.ringmaster.model.access.ClusterPattern;
import io.ringmaster.model.access.Role;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.TokenId;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.DatacenterReport;
import io.ringmaster.model.record.TokenRecord;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ApiTokensTest {
    private static final DatacenterName DC1 = new DatacenterName("dc1");
    private static final DatacenterName DC2 = new DatacenterName("dc2");
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
    private static final TokenRecord OWN = token("dc1-aaaaaaaa", Role.VIEWER);
    private static final TokenRecord THEIRS = token("dc2-bbbbbbbb", Role.OPERATOR);

    private static TokenRecord token(String id, Role role) {
        return new TokenRecord(
                new TokenId(id),
                "ci",
                role,
                ClusterPattern.ALL,
                "00".repeat(32),
                "anna",
                NOW,
                NOW.plusSeconds(60),
                null,
                null);
    }

    private static View view(List<TokenRecord> own, List<TokenRecord> theirs) {
        var report = new DatacenterReport(DC2, List.of(), 0, NOW, List.of(), theirs);
        return View.empty(NOW, 0, DC1, List.of(), List.of())
                .withPeers(Map.of(DC2, new Observation<>(report, NOW, "it does not answer")))
                .with(own.stream().<Change>map(Change.Put::new).toList());
    }

    @Test
    void tokens_of_other_datacenters_are_known_by_their_last_reports() {
        View view = view(List.of(OWN), List.of(THEIRS));
        assertThat(ApiTokens.all(view)).containsExactly(OWN, THEIRS);
        assertThat(ApiTokens.find(view, THEIRS.id())).contains(THEIRS);
        assertThat(ApiTokens.find(view, new TokenId("dc2-cccccccc"))).isEmpty();
    }

    @Test
    void a_token_that_is_revoked_anywhere_is_revoked() {
        TokenRecord revoked = OWN.revoke(NOW, "bob");
        assertThat(ApiTokens.find(view(List.of(OWN), List.of(revoked)), OWN.id()))
                .contains(revoked);
        assertThat(ApiTokens.find(view(List.of(revoked), List.of(OWN)), OWN.id()))
                .contains(revoked);
        assertThat(ApiTokens.all(view(List.of(OWN), List.of(revoked)))).containsExactly(revoked);
    }

    @Test
    void another_datacenter_cannot_raise_the_role_of_a_token() {
        TokenRecord raised = token(OWN.id().value(), Role.ADMIN);
        assertThat(ApiTokens.find(view(List.of(OWN), List.of(raised)), OWN.id()))
                .contains(OWN);
    }

    @Test
    void a_token_of_another_datacenter_is_revoked_by_a_record_here() {
        Answer<TokenRecord> answer = ApiTokens.revoke(view(List.of(), List.of(THEIRS)), THEIRS.id(), "bob");
        assertThat(answer).isEqualTo(Answer.accepted(THEIRS.revoke(NOW, "bob")));
        Answer<TokenRecord> unknown = ApiTokens.revoke(view(List.of(), List.of()), THEIRS.id(), "bob");
        assertThat(((Answer.Refused<TokenRecord>) unknown).problems())
                .singleElement()
                .satisfies(p -> assertThat(p.code()).isEqualTo(ErrorCode.TOKEN_UNKNOWN));
    }

    @Test
    void a_datacenter_has_a_thousand_valid_tokens_at_most() {
        List<TokenRecord> all = IntStream.range(0, ApiTokens.MAX)
                .mapToObj(i -> token(String.format("dc1-%08d", i), Role.VIEWER))
                .toList();
        assertThat(ApiTokens.create(view(all, List.of()), OWN)).isInstanceOf(Answer.Refused.class);
        assertThat(ApiTokens.create(view(all.subList(1, all.size()), List.of()), OWN))
                .isEqualTo(Answer.accepted(OWN));
    }

    @Test
    void records_of_revoked_tokens_are_limited_too() {
        List<TokenRecord> all = IntStream.range(0, ApiTokens.MAX_RECORDS)
                .mapToObj(i -> token(String.format("dc1-%08d", i), Role.VIEWER).revoke(NOW, "bob"))
                .toList();
        var refused = (Answer.Refused<TokenRecord>) ApiTokens.create(view(all, List.of()), OWN);
        assertThat(refused.problems()).singleElement().satisfies(p -> assertThat(p.line())
                .contains("dc1 has 5000 records", "is removed after 2026-01-03T03:05:05Z", "token list"));
        assertThat(ApiTokens.create(view(all.subList(1, all.size()), List.of()), OWN))
                .isEqualTo(Answer.accepted(OWN));
    }
}
