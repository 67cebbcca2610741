package io.ringmaster.wire.api;

import io.ringmaster.model.error.Advice;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A refusal or failure in the form of RFC 9457 ({@code application/problem+json}).
 *
 * @param type the URN of the code
 * @param title the code in words
 * @param detail the cause in one sentence
 * @param instance the path of the request
 * @param field the affected field in dotted form, or null
 * @param problems all problems, the first included, such as every invalid field of a spec
 */
public record ProblemDetails(
        String type,
        String title,
        int status,
        String detail,
        String instance,
        ErrorCode code,
        @Nullable String field,
        @Nullable Advice nextStep,
        List<Problem> problems) {

    public static final String MEDIA_TYPE = "application/problem+json";

    public ProblemDetails {
        problems = List.copyOf(problems);
    }

    /** @param problems at least one; the first is the headline */
    public static ProblemDetails of(int status, String instance, List<Problem> problems) {
        Problem first = problems.get(0);
        String words = first.code().name().toLowerCase(Locale.ROOT).replace('_', ' ');
        return new ProblemDetails(
                "urn:ringmaster:" + words.replace(' ', '-'),
                words,
                status,
                first.message(),
                instance,
                first.code(),
                first.field(),
                first.nextStep(),
                problems);
    }
}
