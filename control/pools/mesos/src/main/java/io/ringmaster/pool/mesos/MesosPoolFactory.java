package io.ringmaster.pool.mesos;

import io.ringmaster.pool.mesos.command.ExecutorCommand;
import io.ringmaster.pool.mesos.config.AgentPrograms;
import io.ringmaster.pool.mesos.config.MesosPoolSettings;
import io.ringmaster.ports.ConfigSection;
import io.ringmaster.ports.Pool;
import io.ringmaster.ports.PoolContext;
import io.ringmaster.ports.PoolFactory;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Reads {@code pool.mesos}: {@code masters}, {@code role}, {@code dist}, {@code jars} and {@code java}, and optional
 * {@code user}, {@code principal}, {@code secret_file}, {@code rack_attribute} and {@code executor_token_file}.
 */
public final class MesosPoolFactory implements PoolFactory {
    private static final String MASTER = "([A-Za-z0-9][A-Za-z0-9.-]*|\\[[0-9A-Fa-f:.]+\\]):[0-9]{1,5}";
    private static final String ROLE = "[A-Za-z0-9_][A-Za-z0-9_.-]*(/[A-Za-z0-9_][A-Za-z0-9_.-]*)*";
    private static final String WORD = "\\S+";
    private static final String PATH = "/[^\\p{Cntrl}]*";

    @Override
    public String name() {
        return "mesos";
    }

    @Override
    public Supplier<Pool> configure(PoolContext context, ConfigSection section) {
        List<String> masters =
                section.texts("masters", "host and port of a master, such as m1.example.com:5050", matching(MASTER));
        if (!section.has("masters")) {
            section.error("masters", "missing; must be a list of the masters, such as [m1.example.com:5050]");
        }
        MesosPoolSettings settings = new MesosPoolSettings(
                context.datacenter(),
                masters,
                section.required("role", "a role of Mesos that no other framework has", matching(ROLE), "none"),
                section.optional("user", "the user of the tasks on the agents", matching(WORD))
                        .orElseGet(() -> System.getProperty("user.name")),
                section.optional("principal", "the principal of the framework", matching(WORD))
                        .orElse(null),
                section.optionalPath("secret_file", "the file with the principal's secret")
                        .orElse(null),
                section.optional("rack_attribute", "the attribute of agents that names their rack", matching(WORD))
                        .orElse(null),
                new AgentPrograms(
                        path(section, "dist", "the directory of Ringmaster's programs on every agent"),
                        path(
                                section,
                                "jars",
                                "the directory of Cassandra's jars on every agent; " + AgentPrograms.VERSION
                                        + " in it stands for the version"),
                        path(section, "java", "the path of Java 17 on every agent"),
                        section.optional(
                                        "executor_token_file",
                                        "the path of the file with the token of all executors, here and on every agent",
                                        matching(PATH))
                                .orElse(null)));
        section.rejectUnknown();
        if (section.has("secret_file") && !section.has("principal")) {
            section.error("secret_file", "holds the secret of a principal, and there is no field principal");
        }
        return () -> new MesosPool(settings, new ExecutorCommand(settings.programs()));
    }

    private static String path(ConfigSection section, String field, String form) {
        return section.required(field, form, matching(PATH), "/");
    }

    private static Function<String, String> matching(String form) {
        return text -> {
            if (!text.matches(form)) {
                throw new IllegalArgumentException();
            }
            return text;
        };
    }
}
