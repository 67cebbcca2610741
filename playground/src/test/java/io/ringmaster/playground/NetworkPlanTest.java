package io.ringmaster.playground;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.cli.screen.Golden;
import io.ringmaster.cli.screen.Line;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class NetworkPlanTest {
    private static final String HEADER =
            "Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask\tMTU\tWindow\tIRTT";

    @Test
    void commands_equal_the_golden_file() {
        NetworkPlan plan = new NetworkPlan(77, 3, 2, "rm0badcafe-");
        List<Line> lines = new ArrayList<>();
        for (int n = 1; n <= 3; n++) {
            lines.add(Line.of("on this side, for dc" + n));
            plan.outside(n, Path.of("/proc/7/fd/" + n)).forEach(l -> lines.add(Line.of("  ip " + l)));
            lines.add(Line.of("inside dc" + n));
            plan.inside(n).forEach(l -> lines.add(Line.of("  ip " + l)));
        }
        Golden.assertSame("network-plan", lines);
    }

    @Test
    void devices_of_two_homes_have_different_names_of_at_most_fifteen_characters() {
        String one =
                new NetworkPlan(77, 2, 3, NetworkPlan.prefix(Path.of("/home/ann/.ringmaster/playground"))).device(9);
        String other =
                new NetworkPlan(77, 2, 3, NetworkPlan.prefix(Path.of("/home/bob/.ringmaster/playground"))).device(9);
        assertThat(one).isNotEqualTo(other).hasSizeLessThanOrEqualTo(15);
    }

    @Test
    void a_network_is_free_unless_a_route_leads_into_it() {
        List<String> routes = List.of(
                HEADER,
                route("00000000", "00000000"),
                route("0001A8C0", "00FFFFFF"),
                route("00024D0A", "00FFFFFF"),
                route("0000500A", "0000F0FF"),
                route("0000000A", "000000FF"));
        assertThat(FreeNetworks.isFree(77, routes)).as("10.77.2.0/24 is routed").isFalse();
        assertThat(FreeNetworks.isFree(78, routes))
                .as("only the default route and all of 10/8 concern it")
                .isTrue();
        assertThat(FreeNetworks.isFree(81, routes)).as("10.80.0.0/12 is routed").isFalse();
    }

    private static String route(String destination, String mask) {
        return "eth0\t" + destination + "\t00000000\t0001\t0\t0\t0\t" + mask + "\t0\t0\t0";
    }
}
