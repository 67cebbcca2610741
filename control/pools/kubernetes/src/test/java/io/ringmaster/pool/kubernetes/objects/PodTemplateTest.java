package io.ringmaster.pool.kubernetes.objects;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.SerializationFeature;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.NodeSelectorTerm;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Toleration;
import io.ringmaster.json.Json;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.pool.kubernetes.Samples;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The pods as files for reviewers; {@code -Daccept=true} rewrites them. */
class PodTemplateTest {
    private static final Path FOLDER = Path.of("src/test/resources/golden");
    private static final List<Pod> BOTH = List.of(Samples.pod(), Samples.wipe());

    private static void assertGolden(String name, Pod pod) throws IOException {
        var tree = Json.parse(Samples.json(pod), TreeMap.class);
        String text = Json.mapper()
                        .writer()
                        .with(SerializationFeature.INDENT_OUTPUT)
                        .with(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
                        .writeValueAsString(tree)
                + "\n";
        Path file = FOLDER.resolve(name);
        if (Boolean.getBoolean("accept")) {
            Files.createDirectories(FOLDER);
            Files.writeString(file, text);
        }
        assertThat(text).isEqualTo(Files.readString(file));
    }

    @Test
    void the_pod_of_a_node_is_as_its_file() throws IOException {
        assertGolden("pod.json", Samples.pod());
    }

    @Test
    void the_pod_that_empties_a_volume_is_as_its_file() throws IOException {
        assertGolden("wipe-pod.json", Samples.wipe());
    }

    @Test
    void an_executor_with_a_door_speaks_tls_and_is_probed_by_tls() {
        Pod pod = PodTemplate.pod(Samples.SETTINGS, Samples.claim(), Samples.RUNNING, Samples.RUN, true);
        assertThat(PodTemplate.hasDoor(pod)).isTrue();
        assertThat(PodTemplate.hasDoor(Samples.pod())).isFalse();
        Container container = pod.getSpec().getContainers().get(0);
        assertThat(container.getArgs()).containsSequence("--door", "/run/ringmaster");
        assertThat(List.of(container.getStartupProbe(), container.getLivenessProbe(), container.getReadinessProbe()))
                .allMatch(probe -> probe.getHttpGet().getScheme().equals("HTTPS"));
    }

    @Test
    void it_mounts_the_locations_of_backups_if_there_are_any() {
        PodSpec spec = Samples.pod().getSpec();
        Container container = spec.getContainers().get(0);
        assertThat(container.getArgs()).containsSequence("--locations", "/run/ringmaster-locations");
        assertThat(container.getVolumeMounts())
                .filteredOn(m -> m.getMountPath().equals("/run/ringmaster-locations"))
                .singleElement()
                .satisfies(m -> assertThat(m.getReadOnly()).isTrue());
        assertThat(spec.getVolumes())
                .filteredOn(v -> v.getName().equals("locations"))
                .singleElement()
                .satisfies(v -> {
                    assertThat(v.getSecret().getSecretName()).isEqualTo("backup-locations");
                    assertThat(v.getSecret().getDefaultMode())
                            .as("as files of credentials must be")
                            .isEqualTo(0440);
                    assertThat(v.getSecret().getOptional())
                            .as("the node starts without it")
                            .isTrue();
                });
        assertThat(Samples.wipe().getSpec().getVolumes())
                .noneMatch(v -> v.getName().equals("locations"));
    }

    @Test
    void a_drain_sees_a_controller_and_the_claim_takes_its_pod_along() {
        assertThat(BOTH).allSatisfy(pod -> assertThat(pod.getMetadata().getOwnerReferences())
                .singleElement()
                .satisfies(o -> {
                    assertThat(o.getKind()).isEqualTo("PersistentVolumeClaim");
                    assertThat(o.getName()).isEqualTo("rides-dc1-node-0");
                    assertThat(o.getUid()).isEqualTo("11111111-2222-3333-4444-555555555555");
                    assertThat(o.getController()).isTrue();
                }));
    }

    @Test
    void only_the_scheduler_places_it_on_its_machine() {
        assertThat(BOTH).extracting(Pod::getSpec).allSatisfy(spec -> {
            assertThat(spec.getNodeName()).as("would pass over the scheduler").isNull();
            assertThat(spec.getNodeSelector()).isNullOrEmpty();
            List<NodeSelectorTerm> terms = spec.getAffinity()
                    .getNodeAffinity()
                    .getRequiredDuringSchedulingIgnoredDuringExecution()
                    .getNodeSelectorTerms();
            assertThat(terms).singleElement().satisfies(term -> {
                assertThat(term.getMatchExpressions()).isNullOrEmpty();
                assertThat(term.getMatchFields()).singleElement().satisfies(field -> {
                    assertThat(field.getKey()).isEqualTo("metadata.name");
                    assertThat(field.getOperator()).isEqualTo("In");
                    assertThat(field.getValues()).containsExactly("n1");
                });
            });
        });
    }

    @Test
    void it_stays_however_long_its_machine_is_away() {
        assertThat(BOTH).allSatisfy(pod -> assertThat(pod.getSpec().getTolerations())
                .allSatisfy(t -> {
                    assertThat(t.getTolerationSeconds()).isNull();
                    assertThat(t.getOperator()).isEqualTo("Exists");
                    assertThat(t.getEffect()).isEqualTo("NoExecute");
                })
                .extracting(Toleration::getKey)
                .containsExactly("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"));
    }

    @Test
    void it_has_no_rights_and_writes_to_its_volume_only() {
        assertThat(BOTH).extracting(Pod::getSpec).allSatisfy(spec -> {
            assertThat(spec.getAutomountServiceAccountToken()).isFalse();
            assertThat(spec.getEnableServiceLinks()).isFalse();
            assertThat(spec.getHostNetwork()).isNull();
            assertThat(spec.getSecurityContext().getRunAsNonRoot()).isTrue();
            assertThat(spec.getSecurityContext().getSeccompProfile().getType()).isEqualTo("RuntimeDefault");
            assertThat(spec.getInitContainers()).isEmpty();
            assertThat(spec.getVolumes()).allMatch(v -> v.getEmptyDir() == null, "a drain refuses an emptyDir");
            assertThat(spec.getContainers()).singleElement().satisfies(c -> {
                assertThat(c.getSecurityContext().getReadOnlyRootFilesystem()).isTrue();
                assertThat(c.getSecurityContext().getAllowPrivilegeEscalation()).isFalse();
                assertThat(c.getSecurityContext().getCapabilities().getDrop()).containsExactly("ALL");
                assertThat(c.getLifecycle()).isNull();
            });
        });
    }

    @Test
    void it_is_the_last_that_a_machine_without_memory_evicts() {
        Container container = Samples.pod().getSpec().getContainers().get(0);
        assertThat(container.getResources().getRequests())
                .containsOnlyKeys("cpu", "memory")
                .isEqualTo(container.getResources().getLimits());
        assertThat(container.getResources().getLimits().get("memory").toString())
                .isEqualTo(Long.toString(2L << 30));
        assertThat(container.getResources().getLimits().get("cpu").toString()).isEqualTo("1500m");
    }

    @Test
    void it_may_drain_before_it_is_killed_and_starts_again_after_an_end() {
        PodSpec spec = Samples.pod().getSpec();
        assertThat(spec.getTerminationGracePeriodSeconds()).isEqualTo(130);
        assertThat(spec.getRestartPolicy()).isEqualTo("Always");
        assertThat(Samples.wipe().getSpec().getRestartPolicy()).isEqualTo("Never");
    }

    @Test
    void the_token_is_in_the_secret_only() {
        Secret secret = TokenSecret.secret(Samples.claim());
        String token = secret.getStringData().get(TokenSecret.KEY);
        assertThat(token).matches("[0-9a-f]{64}");
        assertThat(TokenSecret.secret(Samples.claim()).getStringData()).doesNotContainValue(token);
        assertThat(TokenSecret.belongsTo(secret, Samples.claim())).isTrue();
        assertThat(secret.getMetadata().getName()).isEqualTo("rides-dc1-node-0");
        assertThat(secret.getImmutable())
                .as("so that a door can be laid down in it")
                .isNull();
        Container container = Samples.pod().getSpec().getContainers().get(0);
        assertThat(container.getEnv()).singleElement().satisfies(e -> {
            assertThat(e.getName()).isEqualTo("POD_IP");
            assertThat(e.getValueFrom().getSecretKeyRef()).isNull();
        });
        assertThat(container.getArgs()).noneMatch(arg -> arg.contains("token"));
        assertThat(Samples.wipe().getSpec().getVolumes()).allMatch(v -> v.getSecret() == null);
    }

    @Test
    void the_labels_name_the_pool_and_the_kind_of_pod() {
        assertThat(BOTH).allSatisfy(pod -> assertThat(ObjectNames.allocation(pod, Samples.DC))
                .contains(Samples.ALLOCATION.id()));
        assertThat(ObjectNames.isWipe(Samples.wipe())).isTrue();
        assertThat(ObjectNames.isWipe(Samples.pod())).isFalse();
    }

    @Test
    void objects_of_others_are_no_allocations_whatever_their_labels_say() {
        Pod named = new PodBuilder(Samples.pod())
                .editMetadata()
                .withName("copy.of-node-0")
                .endMetadata()
                .build();
        assertThat(ObjectNames.allocation(named, Samples.DC)).isEmpty();
        assertThat(ObjectNames.allocation(Samples.pod(), new DatacenterName("dc2")))
                .isEmpty();
    }
}
