package io.ringmaster.pool.mesos.command;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.pool.mesos.picture.Agent;
import io.ringmaster.pool.mesos.picture.Claim;
import io.ringmaster.pool.mesos.picture.MesosResource;
import io.ringmaster.pool.mesos.picture.Picture;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What is reserved for one allocation: how it is found, changed and given back. */
final class Reservation {
    private final AllocationId id;
    private final PoolParts pool;
    private final OfferOperations operations;

    Reservation(AllocationId id, PoolParts pool) {
        this.id = id;
        this.pool = pool;
        operations = new OfferOperations(id, pool);
    }

    private Optional<Picture.Holding> holding() {
        return pool.watch().picture().holding(id);
    }

    Agent agent(MachineName machine) throws OperationRefusedException, PostponedException {
        Optional<Agent> agent = pool.watch().picture().agent(machine);
        if (agent.isPresent()) {
            return agent.get();
        }
        requireNotLost(machine);
        throw new OperationRefusedException("no agent of the name " + machine + " is registered with the master "
                + pool.masters().master());
    }

    /** @throws PostponedException a machine that was known is not registered now */
    void requireNotLost(MachineName machine) throws PostponedException {
        if (pool.watch().picture().agent(machine).isEmpty() && pool.isKnown(machine)) {
            throw new PostponedException("the master has lost the agent " + machine);
        }
    }

    private void requireSame(Picture.Holding holding, Allocation wanted) throws OperationRefusedException {
        Allocation before = holding.claim().allocation();
        if (!before.node().equals(wanted.node()) || !before.machine().equals(wanted.machine())) {
            throw new OperationRefusedException(
                    "the allocation " + id + " belongs to " + before.node() + " on " + before.machine());
        }
    }

    /**
     * What a launch needs is there.
     *
     * @throws OperationRefusedException there is no volume to launch on: the pool does not have this allocation
     * @throws PostponedException only the volume is left, which the controller reserves room for once it knows that
     */
    void requireReserved(Allocation wanted) throws OperationRefusedException, PostponedException {
        agent(wanted.machine());
        Optional<Picture.Holding> holding = holding();
        String missing = "the allocation " + id + " is not reserved on " + wanted.machine() + "; reserve it first";
        if (holding.filter(Picture.Holding::volume).isEmpty()) {
            throw new OperationRefusedException(ErrorCode.MACHINE_LOST, missing);
        }
        requireSame(holding.get(), wanted);
        if (!holding.get().isWhole()) {
            throw new PostponedException(missing);
        }
    }

    /** Reserves exactly this, and creates the volume unless it exists. What runs keeps what it has. */
    void reserve(Allocation wanted)
            throws OperationRefusedException, PostponedException, IOException, InterruptedException {
        Picture picture = pool.watch().picture();
        Agent agent = agent(wanted.machine());
        Optional<Picture.Holding> holding = holding();
        if (holding.isPresent()) {
            requireSame(holding.get(), wanted);
        }
        boolean there = holding.filter(
                        h -> h.isWhole() && h.claim().allocation().equals(wanted))
                .isPresent();
        if (picture.liveTask(id).isEmpty() && !there) {
            Claim claim = new Claim(wanted, agent.machine().rack(), picture.launched(id));
            Offer offer = offer(claim, holding);
            operations.carryOut(offer, claimed(offer, claim));
        }
    }

    private List<String> lacks(Offer offer, Claim claim) {
        return offer.resources().lacks(claim, offer.resources().besidesVolume(id), !hasVolume(offer));
    }

    private boolean hasVolume(Offer offer) {
        return offer.resources().volume(id).isPresent();
    }

    /** The operations after which exactly this is reserved, and the volume exists. */
    List<ObjectNode> claimed(Offer offer, Claim claim) {
        List<ObjectNode> all = new ArrayList<>();
        List<MesosResource> before = offer.resources().besidesVolume(id);
        if (!before.isEmpty()) {
            all.add(operations.operation("UNRESERVE", before));
        }
        List<MesosResource> reserved = new ArrayList<>(pool.resources().room(claim));
        MesosResource disk = pool.resources().disk(claim);
        if (!hasVolume(offer)) {
            reserved.add(disk);
        }
        all.add(operations.operation("RESERVE", reserved));
        if (!hasVolume(offer)) {
            all.add(operations.operation("CREATE", List.of(pool.resources().volume(disk, claim))));
        }
        return all;
    }

    /** An offer of all that is reserved, with what a launch needs in addition. */
    Offer offerToLaunch(Claim claim) throws PostponedException, IOException, InterruptedException {
        return offer(claim, Optional.of(new Picture.Holding(claim, true, true)));
    }

    /** An offer of what is held, so that no second volume is made, with what the claim needs in addition. */
    private Offer offer(Claim claim, Optional<Picture.Holding> held)
            throws PostponedException, IOException, InterruptedException {
        return operations.offer(claim.allocation().machine(), o -> {
            List<String> own = held.map(h -> lacksOwn(o, h)).orElse(List.of());
            return own.isEmpty() ? lacks(o, claim) : own;
        });
    }

    private List<String> lacksOwn(Offer offer, Picture.Holding holding) {
        List<String> lacks = new ArrayList<>();
        if (holding.volume() && !hasVolume(offer)) {
            lacks.add("the volume of " + id);
        }
        boolean reserved = holding.room()
                ? !offer.resources().room(id).isEmpty()
                : holding.volume() || !offer.resources().besidesVolume(id).isEmpty();
        if (!reserved) {
            lacks.add("what is reserved for " + id);
        }
        return lacks;
    }

    /**
     * Gives all back but a volume that is kept. Without a volume nothing is kept.
     *
     * @param destroyVolume otherwise the disk stays reserved, with the volume on it
     */
    void giveBack(boolean destroyVolume)
            throws OperationRefusedException, PostponedException, IOException, InterruptedException {
        Optional<Picture.Holding> there = holding();
        if (there.isEmpty() || (there.get().isReleased() && !destroyVolume)) {
            return;
        }
        Picture.Holding holding = there.get();
        Offer offer = operations.offer(holding.claim().allocation().machine(), o -> lacksOwn(o, holding));
        List<MesosResource> back = new ArrayList<>(offer.resources().besidesVolume(id));
        List<ObjectNode> all = new ArrayList<>();
        Optional<MesosResource> volume = offer.resources().volume(id).filter(v -> destroyVolume);
        if (volume.isPresent()) {
            all.add(operations.operation("DESTROY", List.of(volume.get())));
            back.add(volume.get().withoutVolume());
        }
        all.add(operations.operation("UNRESERVE", back));
        operations.carryOut(offer, all);
    }
}
