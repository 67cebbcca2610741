package io.ringmaster.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.javalin.Javalin;
import io.ringmaster.server.RawHttp;
import io.ringmaster.server.RawHttp.Answer;
import io.ringmaster.server.refusal.ProblemException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WebPagesTest {
    private static final String INDEX = "<!doctype html><title>a page for tests</title>\n";

    private final Javalin server = serve("/test-page");

    private static Javalin serve(String root) {
        return Javalin.create(config -> {
                    config.startup.showJavalinBanner = false;
                    config.resourceHandler(new WebPages(root));
                    config.routes.get("/api/v1/health", ctx -> ctx.result("well"));
                    config.routes.exception(ProblemException.class, (e, ctx) -> ctx.status(e.status())
                            .result(e.problems().get(0).line()));
                })
                .start("127.0.0.1", 0);
    }

    @AfterEach
    void stop() {
        server.stop();
    }

    private Answer get(String path, String... headers) throws IOException {
        return RawHttp.send(server.port(), "GET", path, "", headers);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "/index.html",
                "/clusters/rides",
                "/machines/dc1/host-1.example.com",
                "/login?to=/plans",
                "/apis",
                "/favicon.svg.gz"
            })
    void every_path_outside_the_api_and_the_assets_answers_the_page(String path) throws IOException {
        Answer answer = get(path);
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.text()).isEqualTo(INDEX);
        assertThat(answer.header("Content-Type")).startsWith("text/html");
        assertThat(answer.header("Cache-Control")).isEqualTo("no-cache");
        assertThat(answer.header("Content-Security-Policy"))
                .contains("default-src 'none'", "script-src 'self';", "require-trusted-types-for 'script'");
    }

    @Test
    void an_asset_is_kept_for_a_year_and_packed_for_those_who_accept_it() throws IOException {
        Answer plain = get("/assets/main-1a2b.js");
        assertThat(plain.text()).isEqualTo("export const plain = 1;\n");
        assertThat(plain.header("Content-Type")).startsWith("text/javascript");
        assertThat(plain.header("Cache-Control")).contains("max-age=31536000", "immutable");
        assertThat(plain.header("Content-Encoding")).isEmpty();
        assertThat(get("/assets/main-1a2b.js", "Accept-Encoding: gzip;q=0").header("Content-Encoding"))
                .isEmpty();

        Answer packed = get("/assets/main-1a2b.js", "Accept-Encoding: deflate, gzip");
        assertThat(packed.header("Content-Encoding")).isEqualTo("gzip");
        assertThat(packed.header("Content-Type")).isEqualTo(plain.header("Content-Type"));
        try (var unpacked = new GZIPInputStream(new ByteArrayInputStream(packed.body()))) {
            assertThat(new String(unpacked.readAllBytes(), StandardCharsets.UTF_8))
                    .isEqualTo("packed\n");
        }
        assertThat(get("/favicon.svg").header("Content-Type")).startsWith("image/svg+xml");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/assets/none.js",
                "/assets/",
                "/assets/../../logback-test.xml",
                "/assets/..%2f..%2flogback-test.xml",
                "/assets/%2e%2e/%2e%2e/logback-test.xml",
                "/api",
                "/api/v1/nowhere",
                "/assets/.hidden.js"
            })
    void nothing_outside_the_folder_and_no_unknown_asset_is_answered(String path) throws IOException {
        Answer answer = get(path);
        assertThat(answer.status()).isBetween(400, 404);
        assertThat(answer.text()).doesNotContain("<configuration").doesNotContain("a page for tests");
    }

    @Test
    void the_page_does_not_lead_out_of_its_folder() throws IOException {
        assertThat(get("/../logback-test.xml").text()).doesNotContain("<configuration");
        assertThat(get("/..%2flogback-test.xml").text()).doesNotContain("<configuration");
    }

    @Test
    void head_answers_the_headers_alone() throws IOException {
        Answer answer = RawHttp.send(server.port(), "HEAD", "/clusters/rides", "");
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.header("Content-Type")).startsWith("text/html");
        assertThat(answer.body()).isEmpty();
        assertThat(get("/api/v1/health").text()).isEqualTo("well");
    }

    @Test
    void a_server_without_the_page_says_how_to_build_it() throws IOException {
        Javalin bare = serve("/no-page");
        try {
            Answer answer = RawHttp.send(bare.port(), "GET", "/", "");
            assertThat(answer.status()).isEqualTo(404);
            assertThat(answer.text())
                    .isEqualTo("this server was built without the page"
                            + " -> install Node 20.19 or 22.12, or newer, and run ./dev build");
        } finally {
            bare.stop();
        }
    }
}
