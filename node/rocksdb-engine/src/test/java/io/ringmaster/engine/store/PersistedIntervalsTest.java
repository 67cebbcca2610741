package io.ringmaster.engine.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.apache.cassandra.db.commitlog.CommitLogPosition;
import org.apache.cassandra.db.commitlog.IntervalSet;
import org.junit.jupiter.api.Test;

class PersistedIntervalsTest {
    private final List<String> stored = new ArrayList<>();
    private final PersistedIntervals intervals = new PersistedIntervals("", stored::add);

    private static IntervalSet<CommitLogPosition> interval(long segment, int from, int to) {
        return new IntervalSet<>(new CommitLogPosition(segment, from), new CommitLogPosition(segment, to));
    }

    @Test
    void intervalsOfFlushesThatFollowEachOtherAreOne() {
        intervals.add(interval(1, 0, 10), 1);
        intervals.add(interval(1, 10, 20), 1);
        intervals.add(interval(1, 10, 20), 1);
        assertThat(stored).containsExactly("1:0 1:10", "1:0 1:20");
        assertThat(intervals.contains(new CommitLogPosition(1, 15))).isTrue();
        assertThat(intervals.contains(new CommitLogPosition(1, 21))).isFalse();
    }

    @Test
    void anIntervalIsKeptAsLongAsItsSegment() {
        intervals.add(interval(1, 0, 10), 1);
        intervals.add(interval(3, 5, 8), 1);
        assertThat(stored).last().isEqualTo("1:0 1:10 3:5 3:8");
        PersistedIntervals afterARestart = new PersistedIntervals(stored.get(1), stored::add);
        assertThat(afterARestart.contains(new CommitLogPosition(1, 3))).isTrue();
        assertThat(afterARestart.contains(new CommitLogPosition(2, 3))).isFalse();
        assertThat(afterARestart.contains(new CommitLogPosition(3, 8))).isTrue();
        afterARestart.add(interval(4, 0, 1), 3);
        assertThat(stored).last().isEqualTo("3:5 3:8 4:0 4:1");
        afterARestart.clear();
        assertThat(stored).last().isEqualTo("");
        assertThat(new PersistedIntervals("", stored::add).contains(new CommitLogPosition(3, 8)))
                .isFalse();
    }
}
