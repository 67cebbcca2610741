package io.ringmaster.wire.node;

import io.ringmaster.json.Json;
import io.ringmaster.model.error.Problem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;

/** What an executor, or the companion through it, says instead of what was asked for. */
final class ExecutorAnswer {
    private ExecutorAnswer() {}

    /** One line for people: the status, the cause, and what to do next where the executor says it. */
    static String refusal(HttpResponse<String> response) {
        String error = ofCompanion(response);
        return "the executor answers HTTP " + response.statusCode() + ": "
                + (error.isEmpty() ? ofExecutor(response) : error);
    }

    /** The companion's words; empty if the answer is not the companion's. */
    static String ofCompanion(HttpResponse<String> response) {
        if (!isType(response, "application/json")) {
            return "";
        }
        try {
            return Json.mapper().readTree(response.body()).path("error").asText();
        } catch (IOException e) {
            return "";
        }
    }

    private static String ofExecutor(HttpResponse<String> response) {
        if (!isType(response, "application/problem+json")) {
            return response.body();
        }
        try {
            Problem problem = Json.parse(response.body(), Problem.class);
            return problem.message() == null ? response.body() : problem.line();
        } catch (UncheckedIOException e) {
            return response.body();
        }
    }

    private static boolean isType(HttpResponse<String> response, String type) {
        return response.headers().firstValue("Content-Type").orElse("").startsWith(type);
    }
}
