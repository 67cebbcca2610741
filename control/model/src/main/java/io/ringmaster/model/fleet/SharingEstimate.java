package io.ringmaster.model.fleet;

import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.RackName;
import java.util.List;

/**
 * The machines that a mix of clusters needs in one datacenter.
 *
 * @param shapes the shapes of the machines, used in turn
 * @param clusters the number of clusters that fit
 * @param shared the need when clusters share machines
 * @param apart the need when no machine holds two clusters
 * @param saved the share of the machines that sharing saves, up to 1; below 0 when sharing needs more
 * @param misfits clusters that no number of these machines can hold; the other numbers leave them out
 */
public record SharingEstimate(
        DatacenterName datacenter,
        List<MachineShape> shapes,
        List<RackName> racks,
        int clusters,
        int nodes,
        MachineNeed shared,
        MachineNeed apart,
        double saved,
        List<Misfit> misfits) {
    public SharingEstimate {
        shapes = List.copyOf(shapes);
        racks = List.copyOf(racks);
        misfits = List.copyOf(misfits);
    }

    /** Why no number of machines can hold a cluster; each problem names the field of its spec. */
    public record Misfit(ClusterName cluster, List<Problem> problems) {
        public Misfit {
            problems = List.copyOf(problems);
        }
    }
}
