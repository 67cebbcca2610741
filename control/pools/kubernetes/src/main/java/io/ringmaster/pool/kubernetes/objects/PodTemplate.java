package io.ringmaster.pool.kubernetes.objects;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.ContainerPortBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.api.model.ProbeBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.api.model.TolerationBuilder;
import io.ringmaster.json.Json;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.node.NodePorts;
import io.ringmaster.model.spec.NodeResources;
import io.ringmaster.pool.kubernetes.config.KubernetesPoolSettings;
import java.util.Map;

/** The pod of an allocation: the executor as its only container, with Cassandra as the executor's child. */
public final class PodTemplate {
    public static final String CONTAINER = "cassandra";
    public static final String WIPE_CONTAINER = "wipe";

    /** An ordered end takes 60 s to drain, 30 s after SIGTERM and 10 s after SIGKILL at most, and a bit of air. */
    public static final int GRACE_S = 130;

    /** Cassandra's user in the image. */
    private static final long USER = 999;

    private static final String NODE = "node";
    private static final String ACCESS = "access";
    private static final String ACCESS_PATH = "/run/ringmaster";
    private static final String HTTPS = "HTTPS";
    private static final String LOCATIONS = "locations";
    private static final String VOLUME = "/node";
    private static final String LOCATIONS_PATH = "/run/ringmaster-locations";
    /** A quota of the namespace may demand that every pod says what it needs. */
    private static final Map<String, Quantity> WIPE =
            Map.of("cpu", new Quantity("100m"), "memory", new Quantity("64Mi"));

    private PodTemplate() {}

    /**
     * @param notes with this run
     * @param door whether the executor speaks TLS, with the files of its door in the secret
     */
    public static Pod pod(
            KubernetesPoolSettings settings,
            PersistentVolumeClaim claim,
            ClaimNotes notes,
            ClaimNotes.Run run,
            boolean door) {
        Allocation allocation = notes.allocation();
        Pod pod = named(claim, ObjectNames.ofNode(allocation))
                .editMetadata()
                .withAnnotations(Map.of(
                        ObjectNames.GENERATION,
                        Long.toString(run.generation()),
                        ObjectNames.RESOURCES,
                        Json.text(allocation.resources()),
                        "kubectl.kubernetes.io/default-container",
                        CONTAINER))
                .endMetadata()
                .withSpec(spec(allocation)
                        .withRestartPolicy("Always")
                        .withTerminationGracePeriodSeconds((long) GRACE_S)
                        .withContainers(container(settings, allocation, run))
                        .addNewVolume()
                        .withName(ACCESS)
                        .withNewSecret()
                        .withSecretName(allocation.id().value())
                        .withDefaultMode(0440)
                        .endSecret()
                        .endVolume()
                        .build())
                .build();
        Pod secured = door ? withDoor(pod) : pod;
        return settings.locationsSecret() == null ? secured : withLocations(secured, settings.locationsSecret());
    }

    /** Whether the executor of this pod speaks TLS. */
    public static boolean hasDoor(Pod pod) {
        Map<String, String> annotations = pod.getMetadata().getAnnotations();
        return annotations != null && "true".equals(annotations.get(ObjectNames.DOOR));
    }

    /** A kubelet checks no certificate, and has none. */
    private static Pod withDoor(Pod pod) {
        return new PodBuilder(pod)
                .editMetadata()
                .addToAnnotations(ObjectNames.DOOR, "true")
                .endMetadata()
                .editSpec()
                .editFirstContainer()
                .addToArgs("--door", ACCESS_PATH)
                .editStartupProbe()
                .editHttpGet()
                .withScheme(HTTPS)
                .endHttpGet()
                .endStartupProbe()
                .editLivenessProbe()
                .editHttpGet()
                .withScheme(HTTPS)
                .endHttpGet()
                .endLivenessProbe()
                .editReadinessProbe()
                .editHttpGet()
                .withScheme(HTTPS)
                .endHttpGet()
                .endReadinessProbe()
                .endContainer()
                .endSpec()
                .build();
    }

    /** A Secret that is missing must not keep a node from starting: its transfers fail, and name the locations. */
    private static Pod withLocations(Pod pod, String secret) {
        return new PodBuilder(pod)
                .editSpec()
                .addNewVolume()
                .withName(LOCATIONS)
                .withNewSecret()
                .withSecretName(secret)
                .withDefaultMode(0440)
                .withOptional(true)
                .endSecret()
                .endVolume()
                .editFirstContainer()
                .addToArgs("--locations", LOCATIONS_PATH)
                .addNewVolumeMount()
                .withName(LOCATIONS)
                .withMountPath(LOCATIONS_PATH)
                .withReadOnly(true)
                .endVolumeMount()
                .endContainer()
                .endSpec()
                .build();
    }

    /** Deletes all files of a volume that is about to be given back. */
    public static Pod wipe(
            KubernetesPoolSettings settings, PersistentVolumeClaim claim, ClaimNotes notes, String version) {
        Container container = secured(settings.image(version), settings)
                .withName(WIPE_CONTAINER)
                .withNewResources()
                .withRequests(WIPE)
                .withLimits(WIPE)
                .endResources()
                .withCommand("/bin/sh", "-c", "find " + VOLUME + " -mindepth 1 -delete")
                .addNewVolumeMount()
                .withName(NODE)
                .withMountPath(VOLUME)
                .endVolumeMount()
                .build();
        return named(claim, ObjectNames.ofWipe(notes.allocation()))
                .withSpec(spec(notes.allocation())
                        .withRestartPolicy("Never")
                        .withTerminationGracePeriodSeconds(1L)
                        .withContainers(container)
                        .build())
                .build();
    }

    private static PodBuilder named(PersistentVolumeClaim claim, Map<String, String> labels) {
        return new PodBuilder()
                .withNewMetadata()
                .withName(claim.getMetadata().getName())
                .withNamespace(claim.getMetadata().getNamespace())
                .withLabels(labels)
                .withOwnerReferences(ClaimTemplate.owner(claim))
                .endMetadata();
    }

    /** On the machine and with the volume of the allocation. */
    private static PodSpecBuilder spec(Allocation allocation) {
        return new PodSpecBuilder()
                .withAutomountServiceAccountToken(false)
                .withEnableServiceLinks(false)
                .withNewAffinity()
                .withNewNodeAffinity()
                .withNewRequiredDuringSchedulingIgnoredDuringExecution()
                .addNewNodeSelectorTerm()
                .addNewMatchField()
                .withKey("metadata.name")
                .withOperator("In")
                .withValues(allocation.machine().value())
                .endMatchField()
                .endNodeSelectorTerm()
                .endRequiredDuringSchedulingIgnoredDuringExecution()
                .endNodeAffinity()
                .endAffinity()
                .withTolerations(stays("not-ready"), stays("unreachable"))
                .withNewSecurityContext()
                .withRunAsNonRoot(true)
                .withRunAsUser(USER)
                .withRunAsGroup(USER)
                .withFsGroup(USER)
                .withFsGroupChangePolicy("OnRootMismatch")
                .withNewSeccompProfile()
                .withType("RuntimeDefault")
                .endSeccompProfile()
                .endSecurityContext()
                .addNewVolume()
                .withName(NODE)
                .withNewPersistentVolumeClaim(allocation.id().value(), false)
                .endVolume();
    }

    /** Without it, the default of 300 s deletes the pod of a machine that is away, and its node with it. */
    private static Toleration stays(String condition) {
        return new TolerationBuilder()
                .withKey("node.kubernetes.io/" + condition)
                .withOperator("Exists")
                .withEffect("NoExecute")
                .build();
    }

    private static Container container(KubernetesPoolSettings settings, Allocation allocation, ClaimNotes.Run run) {
        NodePorts ports = allocation.ports();
        Map<String, Quantity> resources = resources(allocation.resources());
        return secured(settings.image(run.cassandraVersion()), settings)
                .withName(CONTAINER)
                .withArgs(
                        "--node",
                        allocation.node().value(),
                        "--listen",
                        "$(POD_IP)",
                        "--port",
                        Integer.toString(ports.executor()),
                        "--generation",
                        Long.toString(run.generation()))
                .addNewEnv()
                .withName("POD_IP")
                .withNewValueFrom()
                .withNewFieldRef("v1", "status.podIP")
                .endValueFrom()
                .endEnv()
                .withPorts(
                        port("storage", ports.storage()),
                        port("cql", ports.nativeTransport()),
                        port("executor", ports.executor()))
                .withNewResources()
                .withRequests(resources)
                .withLimits(resources)
                .endResources()
                .withStartupProbe(probe("/v1/live", ports, 1, 5, 120))
                .withLivenessProbe(probe("/v1/live", ports, 10, 5, 6))
                // a budget admits the next eviction until the kubelet has noticed that this node is not ready
                .withReadinessProbe(probe("/v1/ready", ports, 1, 2, 1))
                .withTerminationMessagePolicy("FallbackToLogsOnError")
                .addNewVolumeMount()
                .withName(NODE)
                .withMountPath(VOLUME)
                .endVolumeMount()
                .addNewVolumeMount()
                .withName(NODE)
                .withMountPath("/tmp")
                .withSubPath("tmp")
                .endVolumeMount()
                .addNewVolumeMount()
                .withName(ACCESS)
                .withMountPath(ACCESS_PATH)
                .withReadOnly(true)
                .endVolumeMount()
                .build();
    }

    /** A container with no rights and nothing to write to but its volumes. */
    private static ContainerBuilder secured(String image, KubernetesPoolSettings settings) {
        return new ContainerBuilder()
                .withImage(image)
                .withImagePullPolicy(settings.imagePullPolicy())
                .withNewSecurityContext()
                .withAllowPrivilegeEscalation(false)
                .withReadOnlyRootFilesystem(true)
                .withNewCapabilities()
                .withDrop("ALL")
                .endCapabilities()
                .endSecurityContext();
    }

    private static Map<String, Quantity> resources(NodeResources resources) {
        return Map.of(
                "cpu",
                new Quantity(resources.cpuMillis() + "m"),
                "memory",
                new Quantity(Long.toString(resources.memoryBytes())));
    }

    private static ContainerPort port(String name, int port) {
        return new ContainerPortBuilder().withName(name).withContainerPort(port).build();
    }

    private static Probe probe(String path, NodePorts ports, int period, int timeout, int failures) {
        return new ProbeBuilder()
                .withNewHttpGet()
                .withPath(path)
                .withNewPort(ports.executor())
                .endHttpGet()
                .withPeriodSeconds(period)
                .withTimeoutSeconds(timeout)
                .withFailureThreshold(failures)
                .build();
    }
}
