package io.ringmaster.wire.node;

import io.ringmaster.json.Json;
import io.ringmaster.model.error.Problem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;

/** What an executor, or the companion through it, says instead of what was asked for. */
final class ExecutorAnswer {
    private static final int MOST_CHARACTERS = 200;

    private ExecutorAnswer() {}

    /** One line for people: the status, the cause, and what to do next where the executor says it. */
    static String refusal(HttpResponse<String> response) {
        String error = ofCompanion(response);
        String words = line(error.isEmpty() ? ofExecutor(response) : error);
        return "the executor answers HTTP " + response.statusCode() + (words.isEmpty() ? "" : ": " + words);
    }

    /** The companion's words; empty if the answer is not the companion's. */
    static String ofCompanion(HttpResponse<String> response) {
        if (!isType(response, "application/json")) {
            return "";
        }
        try {
            String error = Json.mapper().readTree(response.body()).path("error").textValue();
            return error == null ? "" : error;
        } catch (IOException e) {
            return "";
        }
    }

    private static String ofExecutor(HttpResponse<String> response) {
        if (!isType(response, "application/problem+json")) {
            return foreign(response);
        }
        try {
            Problem problem = Json.parse(response.body(), Problem.class);
            return problem.message() == null ? foreign(response) : problem.line();
        } catch (UncheckedIOException e) {
            return foreign(response);
        }
    }

    /** The start of whatever answers in place of the executor, such as a page of a proxy. */
    private static String foreign(HttpResponse<String> response) {
        String line = line(response.body());
        return line.length() <= MOST_CHARACTERS ? line : line.substring(0, MOST_CHARACTERS) + "..";
    }

    private static String line(String text) {
        return text.strip().replaceAll("\\s+", " ");
    }

    private static boolean isType(HttpResponse<String> response, String type) {
        return response.headers().firstValue("Content-Type").orElse("").startsWith(type);
    }
}
