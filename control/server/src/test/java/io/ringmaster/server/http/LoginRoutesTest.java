package io.ringmaster.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.javalin.Javalin;
import io.javalin.json.JsonMapper;
import io.ringmaster.json.Json;
import io.ringmaster.model.access.Principal;
import io.ringmaster.model.access.Secret;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.ports.Clock;
import io.ringmaster.server.RawHttp;
import io.ringmaster.server.RawHttp.Answer;
import io.ringmaster.server.login.LoginCodes;
import io.ringmaster.server.login.SessionSigner;
import io.ringmaster.server.refusal.ProblemException;
import java.io.IOException;
import java.lang.reflect.Type;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The limits of logins, while the clock stands still. */
class LoginRoutesTest {
    private static final String TOKEN = AccessGuardTest.TOKEN;
    private static final String RIGHT = "{\"token\":\"" + TOKEN + "\",\"who\":\"anna\"}";

    private volatile Instant now = Instant.parse("2026-01-02T03:04:05Z");
    private final Javalin server = serve(() -> now);

    private static Javalin serve(Clock clock) {
        var signer = new SessionSigner(new Secret(TOKEN));
        var routes = new LoginRoutes(
                        new DatacenterName("dc1"), true, clock, AccessGuardTest.authentication(clock), signer)
                .routes();
        return Javalin.create(config -> {
                    config.startup.showJavalinBanner = false;
                    config.jsonMapper(new JsonMapper() {
                        @Override
                        public String toJsonString(Object value, Type type) {
                            return Json.text(value);
                        }
                    });
                    config.routes.before(ctx -> Caller.is(ctx, Principal.localAdmin("anna", ctx.ip())));
                    routes.forEach(r -> config.routes.addHttpHandler(r.method(), "/" + r.path(), r.handler()));
                    config.routes.exception(ProblemException.class, (e, ctx) -> ctx.status(e.status())
                            .result(e.problems().get(0).line()));
                })
                .start("127.0.0.1", 0);
    }

    @AfterEach
    void stop() {
        server.stop();
    }

    private Answer post(String path, String body) throws IOException {
        return RawHttp.send(server.port(), "POST", path, body);
    }

    @Test
    void after_five_wrong_tries_in_a_second_none_is_checked() throws IOException {
        for (int i = 0; i < 5; i++) {
            assertThat(post("/session", "{\"token\":\"guess\",\"who\":\"ada\"}").status())
                    .isEqualTo(401);
        }
        Answer refused = post("/session", RIGHT);
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.header("Set-Cookie")).isEmpty();
        now = now.plusSeconds(1);
        assertThat(post("/session", RIGHT).status()).isEqualTo(200);
    }

    @Test
    void sixteen_codes_are_open_at_most_and_each_lasts_a_minute_unless_asked_otherwise() throws IOException {
        assertThat(post("/login-codes", "").text()).contains("\"expiresAt\":\"2026-01-02T03:05:05Z\"");
        for (int i = 1; i < LoginCodes.OPEN_MAX; i++) {
            assertThat(post("/login-codes?seconds=600", "").status()).isEqualTo(200);
        }
        assertThat(post("/login-codes", "").status()).isEqualTo(429);
        now = now.plusSeconds(60);
        assertThat(post("/login-codes", "").status()).isEqualTo(200);
    }

    @Test
    void a_login_is_by_either_a_code_or_the_token_with_a_name() throws IOException {
        for (String body : new String[] {
            "", "[]", "{}", "{\"token\":\"x\"}", "{\"who\":\"x\"}", "{\"code\":\"x\",\"token\":\"y\",\"who\":\"z\"}"
        }) {
            assertThat(post("/session", body).status()).as(body).isEqualTo(400);
        }
    }
}
