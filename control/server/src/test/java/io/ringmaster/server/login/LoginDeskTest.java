package io.ringmaster.server.login;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.model.access.ClusterPattern;
import io.ringmaster.model.access.Principal;
import io.ringmaster.model.access.Role;
import io.ringmaster.model.access.Secret;
import io.ringmaster.server.login.LoginDesk.TooManyTriesException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LoginDeskTest {
    private static final String TOKEN = "0123456789abcdef";
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final LoginCodes codes = new LoginCodes();
    private final LoginDesk desk = new LoginDesk(LoginDeskTest::caller, codes, new SessionSigner(new Secret(TOKEN)));

    private static Optional<Principal> caller(String token, String stated) {
        var named = new Principal("ci", Role.VIEWER, ClusterPattern.ALL, "dc1-aaaaaaaa", "none");
        return switch (token) {
            case TOKEN -> Optional.of(Principal.localAdmin(stated, "none"));
            case "named" -> Optional.of(named);
            default -> Optional.empty();
        };
    }

    private String code() {
        return codes.create("anna", Principal.LOCAL_ADMIN, MINUTE, NOW)
                .orElseThrow()
                .text();
    }

    @Test
    void a_code_opens_one_session_under_its_name() throws Exception {
        String code = code();
        assertThat(code).matches("[A-Za-z0-9_-]{22}");
        assertThat(desk.byCode(code, NOW))
                .hasValueSatisfying(i -> assertThat(i.session().who()).isEqualTo("anna"));
        assertThat(desk.byCode(code, NOW)).isEmpty();
    }

    @Test
    void a_late_or_wrong_code_opens_nothing_and_uses_up_no_other() throws Exception {
        String code = code();
        assertThat(desk.byCode(code.substring(1), NOW)).isEmpty();
        assertThat(desk.byCode("", NOW)).isEmpty();
        assertThat(desk.byCode(code, NOW.plus(MINUTE).minusMillis(1))).isPresent();
        assertThat(desk.byCode(code(), NOW.plus(MINUTE))).isEmpty();
    }

    @Test
    void sixteen_codes_are_open_at_most_and_an_expired_one_makes_room() {
        for (int i = 0; i < LoginCodes.OPEN_MAX; i++) {
            code();
        }
        assertThat(codes.create("anna", Principal.LOCAL_ADMIN, MINUTE, NOW)).isEmpty();
        assertThat(codes.create("anna", Principal.LOCAL_ADMIN, MINUTE, NOW.plus(MINUTE)))
                .isPresent();
    }

    @Test
    void the_token_opens_a_session_under_the_stated_name() throws Exception {
        assertThat(desk.byToken(TOKEN, "bob", NOW))
                .hasValueSatisfying(i -> assertThat(i.session().who()).isEqualTo("bob"));
        assertThat(desk.byToken(TOKEN + "x", "bob", NOW)).isEmpty();
    }

    @Test
    void a_named_token_opens_a_session_under_its_own_name_and_with_its_own_rights() throws Exception {
        assertThat(desk.byToken("named", "root", NOW)).hasValueSatisfying(i -> {
            assertThat(i.session().who()).isEqualTo("ci");
            assertThat(i.session().credential()).isEqualTo("dc1-aaaaaaaa");
        });
    }

    @Test
    void after_five_wrong_tries_a_right_one_waits_until_a_second_has_passed() throws Exception {
        for (int i = 0; i < 5; i++) {
            assertThat(desk.byToken("wrong", "bob", NOW.plusMillis(i))).isEmpty();
        }
        assertThatThrownBy(() -> desk.byToken(TOKEN, "bob", NOW.plusMillis(999)))
                .isInstanceOf(TooManyTriesException.class);
        assertThat(desk.byToken(TOKEN, "bob", NOW.plusMillis(1000))).isPresent();
    }

    @Test
    void wrong_tries_of_others_do_not_keep_a_link_from_working() throws Exception {
        for (int i = 0; i < 20; i++) {
            assertThat(desk.byCode("wrong", NOW)).isEmpty();
        }
        for (int i = 0; i < 5; i++) {
            assertThat(desk.byToken("wrong", "bob", NOW)).isEmpty();
        }
        assertThat(desk.byCode(code(), NOW)).isPresent();
    }
}
