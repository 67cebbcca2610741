package io.ringmaster.pool.kubernetes.budget;

import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudgetBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.pool.kubernetes.command.ApiCalls;
import io.ringmaster.pool.kubernetes.config.KubernetesPoolSettings;
import io.ringmaster.pool.kubernetes.objects.ClaimNotes;
import io.ringmaster.pool.kubernetes.objects.ObjectNames;
import java.net.HttpURLConnection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A PodDisruptionBudget for each cluster: {@code kubectl drain} and the autoscaler evict one of its pods at a time, and
 * the next one only once every pod is ready again. It counts the pods that shall run, not those that do, so that a pod
 * that is missing already is the one. The number is an integer, because Kubernetes knows percentages only for pods of
 * its own controllers.
 */
public final class DisruptionBudgets {
    private static final Logger LOG = LoggerFactory.getLogger(DisruptionBudgets.class);

    private final KubernetesClient client;
    private final KubernetesPoolSettings settings;
    private String lastFailure = "";

    public DisruptionBudgets(KubernetesClient client, KubernetesPoolSettings settings) {
        this.client = client;
        this.settings = settings;
    }

    /** Makes the budgets fit these claims. A failure is logged once, and the next call tries again. */
    public synchronized void fit(List<PersistentVolumeClaim> claims) {
        try {
            Map<String, PodDisruptionBudget> present = new TreeMap<>();
            client.policy()
                    .v1()
                    .podDisruptionBudget()
                    .inNamespace(settings.namespace())
                    .withLabels(ObjectNames.ofPool(settings.datacenter()))
                    .list()
                    .getItems()
                    .forEach(b -> present.put(b.getMetadata().getName(), b));
            running(claims).forEach((cluster, count) -> ensure(budget(cluster, count), present));
            present.values().forEach(this::delete);
            lastFailure = "";
        } catch (KubernetesClientException e) {
            if (!lastFailure.equals(ApiCalls.reason(e))) {
                lastFailure = ApiCalls.reason(e);
                LOG.warn(
                        "kubectl drain may evict several pods of a cluster at once: no PodDisruptionBudget: {}",
                        lastFailure);
            }
        }
    }

    private static Map<ClusterName, Integer> running(List<PersistentVolumeClaim> claims) {
        Map<ClusterName, Integer> running = new TreeMap<>();
        claims.stream()
                .flatMap(claim -> ClaimNotes.of(claim).stream())
                .filter(notes -> notes.run() != null && !notes.released())
                .forEach(notes -> running.merge(notes.allocation().node().cluster(), 1, Integer::sum));
        return running;
    }

    private PodDisruptionBudget budget(ClusterName cluster, int running) {
        return new PodDisruptionBudgetBuilder()
                .withNewMetadata()
                .withName(ObjectNames.budget(cluster, settings.datacenter()))
                .withNamespace(settings.namespace())
                .withLabels(ObjectNames.ofCluster(cluster, settings.datacenter()))
                .endMetadata()
                .withNewSpec()
                .withMinAvailable(new IntOrString(running - 1))
                .withNewSelector()
                .withMatchLabels(ObjectNames.nodesOf(cluster, settings.datacenter()))
                .endSelector()
                .endSpec()
                .build();
    }

    private void ensure(PodDisruptionBudget wanted, Map<String, PodDisruptionBudget> present) {
        PodDisruptionBudget there = present.remove(wanted.getMetadata().getName());
        var budgets = client.policy().v1().podDisruptionBudget().inNamespace(settings.namespace());
        if (there == null) {
            budgets.resource(wanted).create();
        } else if (!there.getSpec().getMinAvailable().equals(wanted.getSpec().getMinAvailable())) {
            there.getSpec().setMinAvailable(wanted.getSpec().getMinAvailable());
            budgets.resource(there).update();
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
