package io.ringmaster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.cli.screen.Fleet;
import io.ringmaster.cli.screen.FleetMachines;
import io.ringmaster.cli.session.Environment;
import io.ringmaster.cli.session.ExitCode;
import io.ringmaster.json.Json;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.RequestId;
import io.ringmaster.model.request.LockScope;
import io.ringmaster.model.request.ParamKind;
import io.ringmaster.model.request.Request;
import io.ringmaster.wire.api.ChangeAnswer;
import io.ringmaster.wire.api.LoginCode;
import io.ringmaster.wire.api.OperationAnswer;
import io.ringmaster.wire.api.OperationInfo;
import io.ringmaster.wire.api.ProblemDetails;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What commands send and print. */
class CommandsTest extends AgainstServer {
    @Test
    void status_is_printed_for_people_and_for_programs() {
        assertThat(run("cluster", "status", "rides")).isZero();
        assertThat(out()).startsWith("rides  HEALTHY  6 of 6 nodes NORMAL");
        out.reset();
        assertThat(run("cluster", "status", "rides", "-o", "json")).isZero();
        assertThat(Json.parse(out(), io.ringmaster.wire.api.ClusterStatus.class))
                .isEqualTo(Fleet.healthy());
        out.reset();
        assertThat(run("-o", "yaml", "cluster", "status", "rides")).isZero();
        assertThat(out()).startsWith("cluster: rides\n");
    }

    @Test
    void web_prints_a_link_that_keeps_the_path_and_hides_the_code_behind_a_hash() {
        answer("/", 200, Map.of());
        answer("/api/v1/login-codes", 200, new LoginCode("c0de", Instant.EPOCH));
        String url = "http://127.0.0.1:" + server.getAddress().getPort();
        assertThat(run("web")).isZero();
        assertThat(out()).startsWith(url + "/login#c0de\n");
        out.reset();
        assertThat(run("web", "/clusters/a b?tab=x", "-o", "json")).isZero();
        assertThat(out()).contains('"' + url + "/login?to=/clusters/a%20b%3Ftab%3Dx#c0de" + '"');
        assertThat(asked).contains("POST /api/v1/login-codes?seconds=60");
    }

    @Test
    void web_takes_no_path_that_leads_to_another_server() {
        for (String path : List.of("//evil.example", "/\\evil.example", "https://evil.example", "clusters")) {
            assertThat(run("web", path)).as(path).isEqualTo(ExitCode.USAGE.number());
        }
        assertThat(asked).isEmpty();
    }

    @Test
    void web_asks_a_server_without_the_page_for_no_code() {
        answer("/", 404, UNKNOWN);
        assertThat(run("web")).isEqualTo(ExitCode.REFUSED.number());
        assertThat(asked).containsExactly("GET /");
    }

    @Test
    void cordon_and_uncordon_name_the_machine_in_its_datacenter() {
        answer("/api/v1/machines/dc1/machine-2/cordon", 200, FleetMachines.machine(2, true, null));
        assertThat(run("machine", "cordon", "dc1/machine-2", "--reason", "disk fails"))
                .isZero();
        assertThat(run("machine", "uncordon", "dc1/machine-2")).isZero();
        assertThat(asked)
                .containsExactly(
                        "PUT /api/v1/machines/dc1/machine-2/cordon?reason=disk+fails",
                        "DELETE /api/v1/machines/dc1/machine-2/cordon");
        assertThat(out()).startsWith("dc1/machine-2 is cordoned").contains("can take new nodes again");
    }

    @Test
    void a_mix_is_sent_with_its_specs() throws IOException {
        answer("/api/v1/machines/what-if", 200, FleetMachines.sharing());
        spec("cluster: rides\n");
        Path mix = Files.writeString(home.resolve("mix.yaml"), "clusters: [{spec: spec.yaml, count: 3, nodes: 5}]\n");
        assertThat(run("machine", "plan", "--what-if", mix.toString(), "--racks", "3"))
                .isZero();
        assertThat(asked).containsExactly("POST /api/v1/machines/what-if");
        assertThat(out()).startsWith("dc1  20 clusters, 90 nodes");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "clusters: []|clusters: must be a list of one or more specs",
                "clusters: 3|clusters: must be a list of one or more specs",
                "clusters: [rides.yaml]|clusters[0]: must be a mapping",
                "clusters: [{count: 3}]|clusters[0].spec: must be the file of a spec",
                "clusters: [{spec: spec.yaml, count: 0}]|clusters[0].count: '0' must be a whole number from 1 on",
                "clusters: [{spec: spec.yaml, nodes: many}]|clusters[0].nodes: 'many' must be a whole number from 1 on",
                "clusters: [{spec: spec.yaml, cuont: 3}]|clusters[0].cuont: is not known, allowed: spec, count, nodes",
                "clusters: [{spec: nowhere.yaml}]|nowhere.yaml: there is no such file"
            })
    void a_wrong_mix_is_refused_with_its_field(String text, String refusal) throws IOException {
        spec("cluster: rides\n");
        Path mix = Files.writeString(home.resolve("mix.yaml"), text);
        assertThat(run("machine", "plan", "--what-if", mix.toString())).isNotZero();
        assertThat(err()).contains(refusal);
        assertThat(asked).isEmpty();
    }

    @Test
    void a_refusal_names_the_cause_and_what_to_try() {
        assertThat(run("cluster", "status", "taxis")).isEqualTo(ExitCode.REFUSED.number());
        assertThat(err()).isEqualTo("error: no cluster 'taxis' is declared\n  try: ringmaster cluster list\n");
    }

    @Test
    void an_unreachable_server_differs_from_a_refusal() {
        assertThat(runAgainst("http://127.0.0.1:9", "", "cluster", "list")).isEqualTo(ExitCode.UNREACHABLE.number());
        assertThat(err()).contains("no server answers at http://127.0.0.1:9", "RINGMASTER_SERVER", "try: ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "clustr",
                "cluster status",
                "cluster status Rides",
                "node logs rides",
                "plan show --timeout soon rides",
                "cluster list -o xml",
                "machine cordon machine-1",
                "machine uncordon dc1/machine/1",
                "machine plan",
                "cluster list --server ftp://x"
            })
    void a_wrong_command_line_ends_with_2_and_points_to_the_help(String line) {
        assertThat(run(line.split(" ", -1))).isEqualTo(ExitCode.USAGE.number());
        assertThat(err()).startsWith("error: ");
        assertThat(out()).isEmpty();
    }

    @Test
    void an_empty_fleet_shows_the_first_command() {
        assertThat(run("cluster", "list")).isZero();
        assertThat(out()).contains("no clusters yet", "cluster apply -f");
    }

    @Test
    void a_dry_run_shows_the_plan_and_changes_nothing() throws Exception {
        answerSpecUnknown();
        assertThat(run(
                        "cluster",
                        "apply",
                        "--dry-run",
                        "-f",
                        spec("cluster: cars\n").toString()))
                .isZero();
        assertThat(asked).filteredOn(a -> a.startsWith("PUT")).hasSize(1).allMatch(a -> a.contains("dryRun=true"));
    }

    /** Refuses GET of the spec and answers PUT. */
    private void answerSpecUnknown() {
        server.createContext("/api/v1/clusters/cars", exchange -> {
            asked.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
            if (exchange.getRequestMethod().equals("GET")) {
                reply(
                        exchange,
                        404,
                        ProblemDetails.of(
                                404, "/", List.of(Problem.of(ErrorCode.CLUSTER_UNKNOWN, "no cluster 'cars'"))));
            } else {
                reply(
                        exchange,
                        200,
                        new ChangeAnswer(
                                new ClusterName("cars"),
                                1,
                                exchange.getRequestURI().getQuery().contains("dryRun=true"),
                                true,
                                List.of(),
                                List.of()));
            }
        });
    }

    @Test
    void a_change_that_a_server_may_have_taken_is_to_be_looked_up_first() throws Exception {
        answerChange(exchange -> {
            if (exchange.getRequestURI().getQuery().contains("dryRun=true")) {
                reply(exchange, 200, new ChangeAnswer(new ClusterName("rides"), 1, true, true, List.of(), List.of()));
            } else {
                exchange.close();
            }
        });
        Path file = spec("cluster: rides\n");
        assertThat(run("cluster", "apply", "--yes", "-f", file.toString())).isEqualTo(ExitCode.UNREACHABLE.number());
        assertThat(err()).contains("; the request may have been taken", "ringmaster plan list");
    }

    @Test
    void nothing_is_changed_without_a_terminal_to_ask() throws Exception {
        answerSpecUnknown();
        Path file = spec("cluster: cars\n");
        assertThat(run("cluster", "apply", "-f", file.toString())).isEqualTo(ExitCode.REFUSED.number());
        assertThat(err()).contains("--yes");
        assertThat(asked).noneMatch(a -> a.contains("dryRun=false"));
        assertThat(run("cluster", "apply", "--yes", "-f", file.toString())).isZero();
        assertThat(asked).filteredOn(a -> a.contains("dryRun=false")).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "name: rides", "cluster: [a]", "cluster: Rides", "cluster: {", "- rides"})
    void a_spec_without_a_valid_name_is_refused_before_any_request(String yaml) throws Exception {
        assertThat(run("cluster", "apply", "-f", spec(yaml).toString())).isEqualTo(ExitCode.REFUSED.number());
        assertThat(err()).startsWith("error: ").contains("spec.yaml");
        assertThat(asked).isEmpty();
    }

    @Test
    void every_command_has_help_with_a_description() {
        help(Program.commandLine(COMMANDS, Environment.ofThisProcess()));
    }

    private static void help(picocli.CommandLine line) {
        assertThat(line.getUsageMessage()).contains("--help");
        assertThat(line.getCommandSpec().usageMessage().description())
                .as(line.getCommandName())
                .isNotEmpty();
        line.getSubcommands().values().forEach(CommandsTest::help);
    }

    @Test
    void completion_is_a_script() {
        assertThat(run("completion")).isZero();
        assertThat(out()).startsWith("#!/usr/bin/env bash").contains("force-complete");
    }

    @Test
    void operations_of_the_catalogue_are_verbs_of_cluster_and_node() {
        answer(
                "/api/v1/operations",
                200,
                List.of(
                        new OperationInfo("delete", "take it away", null, List.of()),
                        new OperationInfo(
                                "polish",
                                "make it shine",
                                LockScope.NODES,
                                List.of(
                                        new OperationInfo.Param(
                                                "node",
                                                "DC/node-N",
                                                false,
                                                "only these nodes",
                                                ParamKind.NODE,
                                                false,
                                                List.of()),
                                        new OperationInfo.Param(
                                                "how_long",
                                                "MINUTES",
                                                true,
                                                "how long",
                                                ParamKind.NUMBER,
                                                false,
                                                List.of())))));
        var request = new Request(
                new RequestId(new DatacenterName("dc1"), 4),
                new ClusterName("rides"),
                null,
                "polish",
                LockScope.NODES,
                Map.of(),
                "alice",
                "",
                Instant.EPOCH,
                null);
        answer(
                "/api/v1/clusters/rides/operations/polish",
                200,
                new OperationAnswer(request, false, List.of(), List.of()));

        assertThat(run("cluster", "polish", "--help")).isZero();
        assertThat(out()).contains("Make it shine.", "--how-long=MINUTES", "--dry-run");
        assertThat(run("cluster", "polish", "rides", "--how-long", "3", "--yes"))
                .isZero();
        assertThat(out()).contains("requested as dc1-r4; follow with: ringmaster operation status rides");
        assertThat(run("node", "polish", "rides/dc1/node-0", "--how-long=3", "--dry-run", "--why", "a visit"))
                .isZero();
        assertThat(asked).anyMatch(a -> a.startsWith("POST /api/v1/clusters/rides/operations/polish?dryRun=true"));
        assertThat(run("cluster", "polish", "rides")).isEqualTo(2);
        assertThat(err()).contains("--how-long=MINUTES");
        assertThat(run("cluster", "delete", "--help")).isZero();
        assertThat(run("cluster", "fly", "rides")).isEqualTo(2);
        assertThat(err()).contains("fly");
    }
}
