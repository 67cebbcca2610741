package io.ringmaster.integration;

import io.ringmaster.model.spec.Preset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Makes {@link Playground#up} start the kind of cluster that the class of tests declares. */
final class PlaygroundKind implements BeforeAllCallback {
    /** Of the class whose tests run: a JVM runs one class at a time. */
    private static List<String> options = List.of();

    @Override
    public void beforeAll(ExtensionContext context) {
        options = options(context.getRequiredTestClass().getAnnotation(RealNodes.class));
    }

    /** Options of {@code ringmaster playground}. */
    static List<String> options() {
        return options;
    }

    static List<String> options(RealNodes declared) {
        List<String> options = new ArrayList<>();
        options.add("--preset=" + declared.preset().name().toLowerCase(Locale.ROOT));
        if (declared.preset() == Preset.PRODUCTION) {
            options.addAll(TwoCores.OPTIONS);
        }
        if (!declared.tls()) {
            options.add("--no-tls");
        } else if (declared.roles()) {
            options.add("--role=" + CqlAccess.ROLE);
        }
        return options;
    }
}
