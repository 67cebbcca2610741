package io.ringmaster.pool.kubernetes.budget;

import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudgetBuilder;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudgetList;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.pool.kubernetes.command.ApiCalls;
import io.ringmaster.pool.kubernetes.config.KubernetesPoolSettings;
import io.ringmaster.pool.kubernetes.objects.ClaimNotes;
import io.ringmaster.pool.kubernetes.objects.ObjectNames;
import java.net.HttpURLConnection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A PodDisruptionBudget for each cluster: {@code kubectl drain} and the autoscaler evict one of its pods at a time, and
 * the next one only once every pod is ready again. It counts the claims that are not given up, not the pods that run:
 * a node that is stopped, or moves, is the one that may be missing. The number is an integer, because Kubernetes knows
 * percentages only for pods of its own controllers.
 */
public final class DisruptionBudgets {
    private static final Logger LOG = LoggerFactory.getLogger(DisruptionBudgets.class);

    private final KubernetesClient client;
    private final KubernetesPoolSettings settings;
    /** Why a budget could not be kept when it was last tried. */
    private final Map<String, String> failures = new TreeMap<>();

    public DisruptionBudgets(KubernetesClient client, KubernetesPoolSettings settings) {
        this.client = client;
        this.settings = settings;
    }

    /**
     * Makes the budgets fit these claims. What fails is logged once, and the next call tries again.
     *
     * @return the clusters whose budget is not kept, and why
     */
    public synchronized Map<ClusterName, Problem> fit(List<PersistentVolumeClaim> claims) {
        Map<ClusterName, Integer> nodes = nodes(claims);
        Map<ClusterName, Problem> unkept = new TreeMap<>();
        String failure = attempt("of " + settings.namespace(), () -> {
            Map<String, PodDisruptionBudget> present = new TreeMap<>();
            budgets()
                    .withLabels(ObjectNames.ofPool(settings.datacenter()))
                    .list()
                    .getItems()
                    .forEach(b -> present.put(b.getMetadata().getName(), b));
            nodes.forEach((cluster, count) -> {
                PodDisruptionBudget wanted = budget(cluster, count);
                PodDisruptionBudget there = present.remove(wanted.getMetadata().getName());
                String reason = attempt("of " + cluster, () -> ensure(wanted, there));
                if (reason != null) {
                    unkept.put(cluster, unkept(reason));
                }
            });
            present.forEach((name, budget) -> attempt(name, () -> delete(budget)));
        });
        if (failure != null) {
            nodes.keySet().forEach(cluster -> unkept.put(cluster, unkept(failure)));
        }
        return unkept;
    }

    private static Problem unkept(String reason) {
        return Problem.of(
                ErrorCode.POOL_UNAVAILABLE,
                "its PodDisruptionBudget is not kept, so that a drain may evict several of its pods at once: " + reason,
                "correct the cause, such as a missing right (docs/kubernetes.md); it is tried again automatically");
    }

    /** Why it failed, or null. */
    private @Nullable String attempt(String budget, Runnable change) {
        try {
            change.run();
            failures.remove(budget);
            return null;
        } catch (KubernetesClientException e) {
            String reason = ApiCalls.reason(e);
            if (!reason.equals(failures.put(budget, reason))) {
                LOG.warn(
                        "the PodDisruptionBudget {} is not kept, so that a drain may evict several pods at once: {}",
                        budget,
                        reason);
            }
            return reason;
        }
    }

    private NonNamespaceOperation<PodDisruptionBudget, PodDisruptionBudgetList, Resource<PodDisruptionBudget>>
            budgets() {
        return client.policy().v1().podDisruptionBudget().inNamespace(settings.namespace());
    }

    private static Map<ClusterName, Integer> nodes(List<PersistentVolumeClaim> claims) {
        Map<ClusterName, Integer> nodes = new TreeMap<>();
        claims.stream()
                .flatMap(claim -> ClaimNotes.of(claim).stream())
                .filter(notes -> !notes.released())
                .forEach(notes -> nodes.merge(notes.allocation().node().cluster(), 1, Integer::sum));
        return nodes;
    }

    private PodDisruptionBudget budget(ClusterName cluster, int nodes) {
        return new PodDisruptionBudgetBuilder()
                .withNewMetadata()
                .withName(ObjectNames.budget(cluster, settings.datacenter()))
                .withNamespace(settings.namespace())
                .withLabels(ObjectNames.ofCluster(cluster, settings.datacenter()))
                .endMetadata()
                .withNewSpec()
                .withMinAvailable(new IntOrString(nodes - 1))
                .withNewSelector()
                .withMatchLabels(ObjectNames.nodesOf(cluster, settings.datacenter()))
                .endSelector()
                .endSpec()
                .build();
    }

    private void ensure(PodDisruptionBudget wanted, @Nullable PodDisruptionBudget there) {
        if (there == null) {
            budgets().resource(wanted).create();
        } else if (!Objects.equals(
                        there.getSpec().getMinAvailable(), wanted.getSpec().getMinAvailable())
                || !Objects.equals(
                        there.getSpec().getSelector(), wanted.getSpec().getSelector())) {
            there.setSpec(wanted.getSpec());
            budgets().resource(there).update();
        }
    }

    private void delete(PodDisruptionBudget budget) {
        try {
            client.resource(budget).delete();
        } catch (KubernetesClientException e) {
            if (e.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
                throw e;
            }
        }
    }
}
