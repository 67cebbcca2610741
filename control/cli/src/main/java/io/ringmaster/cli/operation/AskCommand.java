package io.ringmaster.cli.operation;

import io.ringmaster.cli.load.ProbeLoad;
import io.ringmaster.cli.session.ConfirmAndWait;
import io.ringmaster.cli.session.Session;
import io.ringmaster.cli.session.SessionSource;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.request.ParamKind;
import io.ringmaster.wire.api.OperationAsk;
import io.ringmaster.wire.api.OperationInfo;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Option;

/** One operation of the catalogue as a command: shows the plan, asks the user, then requests it from the server. */
final class AskCommand implements Callable<Integer> {
    private static final String NODE = "node";

    private final SessionSource root;
    private final OperationInfo operation;
    private final boolean ofOneNode;
    private final CommandSpec spec;
    private final Options options = new Options();

    /**
     * @param words the command as the user types it, such as {@code cluster restart}
     * @param ofOneNode whether the command takes a node instead of a cluster
     */
    AskCommand(SessionSource root, OperationInfo operation, String words, boolean ofOneNode) {
        this.root = root;
        this.operation = operation;
        this.ofOneNode = ofOneNode;
        this.spec = CommandSpec.wrapWithoutInspection(this).name(operation.name());
        describe(words);
    }

    CommandSpec spec() {
        return spec;
    }

    private void describe(String words) {
        String what = operation.summary();
        spec.usageMessage()
                .description(Character.toUpperCase(what.charAt(0)) + what.substring(1) + ".")
                .footer(
                        "",
                        "Example:",
                        "  ringmaster " + words
                                + (ofOneNode ? " rides/dc1/node-0 --wait" : " rides" + required() + " --dry-run"));
        spec.addPositional(PositionalParamSpec.builder()
                .index("0")
                .arity("1")
                .paramLabel(ofOneNode ? "NODE" : "CLUSTER")
                .type(ofOneNode ? NodeId.class : ClusterName.class)
                .build());
        operation.params().stream()
                .filter(p -> !ofOneNode || !isChoice(p.name()))
                .forEach(p -> spec.addOption(OptionSpec.builder(options(p))
                        .paramLabel(p.form())
                        .type(String.class)
                        .arity(p.kind() == ParamKind.FLAG ? "0..1" : "1")
                        .fallbackValue("true")
                        .required(p.required())
                        .description(Character.toUpperCase(p.help().charAt(0))
                                + p.help().substring(1) + ".")
                        .build()));
        spec.addMixin("options", CommandSpec.forAnnotatedObject(options));
    }

    private String required() {
        return operation.params().stream()
                .filter(OperationInfo.Param::required)
                .map(p -> " " + option(p.name()) + " " + p.form())
                .collect(Collectors.joining());
    }

    /** Parameters that choose nodes; a command for one node does not need them. */
    private static boolean isChoice(String param) {
        return param.equals("dc") || param.equals("rack") || param.equals(NODE);
    }

    /** Lists also have a singular name: {@code --keyspace} for {@code --keyspaces}. */
    private static String[] options(OperationInfo.Param param) {
        String name = option(param.name());
        boolean several = name.endsWith("s") && param.form().contains("[,");
        return several ? new String[] {name, name.substring(0, name.length() - 1)} : new String[] {name};
    }

    private static String option(String param) {
        return "--" + param.replace('_', '-');
    }

    @Override
    public Integer call() throws InterruptedException {
        Session session = root.session();
        Optional<ProbeLoad> load =
                options.probe ? Optional.of(ProbeLoad.of(session, session.client())) : Optional.empty();
        ClusterName cluster = ofOneNode ? named(NodeId.class).cluster() : named(ClusterName.class);
        OperationAsk ask = new OperationAsk(params(), options.why);
        new ConfirmedOperation(session, cluster, operation.name(), ask).run(options, options.allowSilentPeers, load);
        return 0;
    }

    private Map<String, String> params() {
        Map<String, String> params = new TreeMap<>();
        operation.params().forEach(p -> {
            OptionSpec option = spec.findOption(option(p.name()));
            if (option != null && option.getValue() != null) {
                params.put(p.name(), option.getValue());
            }
        });
        if (ofOneNode) {
            NodeId node = named(NodeId.class);
            params.put(NODE, node.datacenter() + "/" + node.shortName());
        }
        return params;
    }

    private <T> T named(Class<T> type) {
        return type.cast(spec.positionalParameters().get(0).getValue());
    }

    private static final class Options extends ConfirmAndWait {
        @Option(
                names = "--probe",
                description = "Wait, and run a light load meanwhile; the command fails when a request fails.")
        private boolean probe;

        @Option(
                names = "--allow-silent-peers",
                description = "Continue although a datacenter does not answer; only gossip shows its nodes then.")
        private boolean allowSilentPeers;

        @Option(names = "--why", paramLabel = "TEXT", defaultValue = "", description = "The reason, for the audit.")
        private String why;

        Options() {
            super("4h");
        }
    }
}
