package io.ringmaster.model.fleet;

import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.RackName;
import java.util.List;

/**
 * What a mix of clusters would need of one datacenter.
 *
 * @param shapes of the machines, in turns
 * @param clusters that fit, with how many nodes in all
 * @param shared when clusters share machines
 * @param apart when no machine holds two clusters
 * @param saved the share of the machines that sharing saves, up to 1; below 0 when it needs more
 * @param misfits clusters that no number of these machines can hold; they count nowhere else
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

    /** Why a cluster cannot be had; each problem names the field of its spec. */
    public record Misfit(ClusterName cluster, List<Problem> problems) {
        public Misfit {
            problems = List.copyOf(problems);
        }
    }
}
