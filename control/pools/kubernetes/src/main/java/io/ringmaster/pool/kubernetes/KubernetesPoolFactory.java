package io.ringmaster.pool.kubernetes;

import io.ringmaster.model.spec.Size;
import io.ringmaster.pool.base.Doors;
import io.ringmaster.pool.kubernetes.config.KubernetesPoolSettings;
import io.ringmaster.ports.ConfigSection;
import io.ringmaster.ports.Pool;
import io.ringmaster.ports.PoolContext;
import io.ringmaster.ports.PoolFactory;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Reads {@code pool.kubernetes}: {@code namespace}, {@code image} and {@code storage_class}, and optional {@code
 * kubeconfig}, {@code context}, {@code machines}, {@code rack_label}, {@code image_pull_policy}, {@code
 * backup_locations_secret} and {@code disk_per_machine}. Uses no class of the Kubernetes client, because every server
 * loads all factories.
 */
public final class KubernetesPoolFactory implements PoolFactory {
    private static final String ZONE = "topology.kubernetes.io/zone";
    private static final String NAME = "[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?";
    private static final String OBJECT = "[a-z0-9][-a-z0-9.]*";
    private static final String LABEL_KEY = "([a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?/)?" + word(62);
    private static final String POLICIES = "Always|IfNotPresent|Never";

    private static String word(int more) {
        return "[A-Za-z0-9]([-A-Za-z0-9_.]{0," + (more - 1) + "}[A-Za-z0-9])?";
    }

    @Override
    public String name() {
        return "kubernetes";
    }

    @Override
    public Supplier<Pool> configure(PoolContext context, ConfigSection section) {
        KubernetesPoolSettings settings = new KubernetesPoolSettings(
                context.datacenter(),
                section.optionalPath("kubeconfig", "a file").orElse(null),
                section.optional("context", "the name of a context of the kubeconfig", Function.identity())
                        .orElse(null),
                section.required("namespace", "the name of a namespace", matching(NAME), ""),
                machines(section.section("machines")),
                section.optional("rack_label", "the key of a label of Nodes", matching(LABEL_KEY))
                        .orElse(ZONE),
                section.required(
                        "image",
                        "the name of an image; " + KubernetesPoolSettings.VERSION + " in it stands for the version",
                        matching("\\S+"),
                        ""),
                section.optional("image_pull_policy", "Always, IfNotPresent or Never", matching(POLICIES))
                        .orElse(null),
                section.required("storage_class", "the name of a StorageClass", matching(OBJECT), ""),
                section.optional("backup_locations_secret", "the name of a Secret", matching(OBJECT))
                        .orElse(null),
                section.optional("disk_per_machine", Size.FORM, text -> Size.parse(text)
                                .orElseThrow(IllegalArgumentException::new))
                        .orElse(null),
                new Doors(context.authorities(), context.doors(), Instant::now));
        section.rejectUnknown();
        if (section.has("context") && !section.has("kubeconfig")) {
            section.error("context", "names a context of a kubeconfig, and there is no field kubeconfig");
        }
        return () -> new KubernetesPool(settings);
    }

    private static Map<String, String> machines(ConfigSection labels) {
        var wanted = new TreeMap<String, String>();
        for (String key : labels.fields()) {
            String value = labels.required(key, "the value of a label", matching("|" + word(62)), "");
            if (!key.matches(LABEL_KEY)) {
                labels.error(key, "must be the key of a label of Nodes");
            }
            wanted.put(key, value);
        }
        return wanted;
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
