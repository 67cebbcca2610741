package io.ringmaster.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.cli.session.CqlTrust;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.model.spec.Preset;
import io.ringmaster.wire.client.RingmasterClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Makes {@link Playground#up} start the kind of cluster that the class of tests declares, and checks the others. */
final class PlaygroundKind implements BeforeAllCallback {
    /** Of the class whose tests run: a JVM runs one class at a time. */
    private static @Nullable RealNodes declared;

    @Override
    public void beforeAll(ExtensionContext context) {
        declared = context.getRequiredTestClass().getAnnotation(RealNodes.class);
    }

    /** Options of {@code ringmaster playground}. */
    static List<String> options() {
        return declared == null ? List.of() : options(declared);
    }

    /** A cluster has the defaults that its class of tests declares, also one with a spec of its own. */
    static void assertDeclared(RingmasterClient client, ClusterName cluster) {
        if (declared == null || declared.preset() != Preset.PRODUCTION) {
            return;
        }
        ClusterSpec spec = client.spec(cluster).spec();
        assertThat(spec.preset()).as("the preset of " + cluster).isEqualTo(Preset.PRODUCTION);
        assertThat(CqlTrust.of(client, cluster).isPresent())
                .as(cluster + " has TLS")
                .isEqualTo(declared.tls());
        assertThat(spec.requiresLogin()).as(cluster + " requires a login").isEqualTo(declared.roles());
    }

    /** The command that starts a playground again with the data that it kept. */
    static List<String> startAgain(String... more) {
        List<String> command = new ArrayList<>(List.of("playground", "--detach"));
        command.addAll(options());
        command.addAll(List.of(more));
        return command;
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
