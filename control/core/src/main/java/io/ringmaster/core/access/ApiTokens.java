package io.ringmaster.core.access;

import io.ringmaster.core.decide.Answer;
import io.ringmaster.core.decide.Retention;
import io.ringmaster.core.view.View;
import io.ringmaster.model.error.Advice;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.TokenId;
import io.ringmaster.model.record.TokenRecord;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The API tokens that a server accepts: its own records together with those in the last reports of the other
 * datacenters. Each datacenter stores the tokens that were created or revoked at its servers; a token that is revoked
 * anywhere is revoked everywhere.
 */
public final class ApiTokens {
    /** The maximum of valid tokens of one datacenter, so that records and reports stay small. */
    static final int MAX = 1000;
    /** The maximum of records of one datacenter, those of revoked and expired tokens included. */
    static final int MAX_RECORDS = 5000;

    private ApiTokens() {}

    /** The token of this id as the whole fleet knows it. */
    public static Optional<TokenRecord> find(View view, TokenId id) {
        TokenRecord own = view.apiTokens().get(id);
        Stream<TokenRecord> others = reported(view).filter(t -> t.id().equals(id));
        return Stream.concat(Stream.ofNullable(own), others).reduce(ApiTokens::merge);
    }

    /** All tokens that are known here, by id. */
    public static List<TokenRecord> all(View view) {
        var all = new TreeMap<TokenId, TokenRecord>(view.apiTokens());
        reported(view).forEach(t -> all.merge(t.id(), t, ApiTokens::merge));
        return List.copyOf(all.values());
    }

    /** Accepts a new token, unless the datacenter has too many. */
    public static Answer<TokenRecord> create(View view, TokenRecord token) {
        long usable = view.apiTokens().values().stream()
                .filter(t -> t.state(view.now()) == TokenRecord.State.VALID)
                .count();
        if (usable >= MAX) {
            return Answer.refused(Problem.of(
                    ErrorCode.REQUEST_INVALID,
                    view.datacenter() + " has " + MAX + " valid API tokens, the maximum",
                    Advice.command("token list").suffix(" shows them; revoke those that are not used")));
        }
        if (view.apiTokens().size() >= MAX_RECORDS) {
            return Answer.refused(Problem.of(
                    ErrorCode.REQUEST_INVALID,
                    view.datacenter() + " has " + MAX_RECORDS
                            + " records of valid and ended API tokens, the maximum; the next one is removed after "
                            + nextRemoval(view),
                    Advice.command("token list")
                            .suffix(" shows them; wait, or create the token at a server of another datacenter")));
        }
        return Answer.accepted(token);
    }

    private static Instant nextRemoval(View view) {
        return view.apiTokens().values().stream()
                .map(t -> t.expires().plus(Retention.EXPIRED_TOKENS))
                .min(Comparator.naturalOrder())
                .orElse(view.now());
    }

    /** The record of the token after it was revoked, to be stored here even if another datacenter created it. */
    public static Answer<TokenRecord> revoke(View view, TokenId id, String who) {
        return find(view, id)
                .map(token -> Answer.accepted(token.revoke(view.now(), who)))
                .orElseGet(() -> Answer.refused(Problem.of(
                        ErrorCode.TOKEN_UNKNOWN, "no token " + id + " is known here", Advice.command("token list"))));
    }

    private static Stream<TokenRecord> reported(View view) {
        return view.peers().values().stream()
                .flatMap(o -> Stream.ofNullable(o.last()))
                .flatMap(report -> report.apiTokens().stream());
    }

    /** Only a revocation is taken from the second: it cannot change what the first permits. */
    private static TokenRecord merge(TokenRecord first, TokenRecord second) {
        return second.revoked() == null || second.revokedBy() == null
                ? first
                : first.revoke(second.revoked(), second.revokedBy());
    }
}
