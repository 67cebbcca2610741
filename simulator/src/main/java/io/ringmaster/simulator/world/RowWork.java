package io.ringmaster.simulator.world;

import io.ringmaster.simulator.ledger.Share;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Work on the rows of a node that takes time: all is done at its end, or piece by piece where rows move so. */
final class RowWork {
    private final World world;
    private final SimDaemon daemon;
    private final Predicate<Share> work;
    private final Consumer<Boolean> end;

    /**
     * @param work does a part, and returns false if that breaks
     * @param end receives whether all is done; not called if the mode of the daemon changes before
     */
    RowWork(World world, SimDaemon daemon, Predicate<Share> work, Consumer<Boolean> end) {
        this.world = world;
        this.daemon = daemon;
        this.work = work;
        this.end = end;
    }

    /** @param share after which the work breaks, unless that is all */
    void start(long millis, Share share) {
        if (world.movesRowsInPieces()) {
            piece(0, millis / Share.PIECES, share);
        } else {
            daemon.later(millis, () -> end.accept(work.test(share) && share.isAll()));
        }
    }

    private void piece(int number, long millis, Share share) {
        daemon.later(millis, () -> {
            boolean done = number < share.end() && work.test(Share.piece(number));
            if (done && number + 1 < Share.PIECES) {
                piece(number + 1, millis, share);
            } else {
                end.accept(done);
            }
        });
    }
}
