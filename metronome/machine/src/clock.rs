use rustix::time::{ClockId, Timespec, clock_gettime};

fn nanos(t: Timespec) -> u64 {
    t.tv_sec.cast_unsigned() * 1_000_000_000 + t.tv_nsec.cast_unsigned()
}

/// The monotonic clock in nanoseconds.
#[inline]
pub fn now_ns() -> u64 {
    nanos(clock_gettime(ClockId::Monotonic))
}

/// The wall clock in nanoseconds since 1970.
pub fn wall_ns() -> u64 {
    nanos(clock_gettime(ClockId::Realtime))
}

/// CPU time of this process in nanoseconds: all threads, user and system.
pub fn cpu_ns() -> u64 {
    nanos(clock_gettime(ClockId::ProcessCPUTime))
}

/// CPU time of this process by kind, from `/proc`, in steps of a hundredth of a second.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct CpuTime {
    pub user_s: f64,
    pub system_s: f64,
}

impl CpuTime {
    pub fn now() -> Self {
        let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
        // The program's name, in parentheses, may contain blanks, so fields are counted after it.
        let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
        let ticks = |at: usize| fields.get(at).and_then(|f| f.parse::<f64>().ok()).unwrap_or(0.0);
        let per_second = rustix::param::clock_ticks_per_second() as f64;
        Self { user_s: ticks(11) / per_second, system_s: ticks(12) / per_second }
    }
}

impl std::ops::Sub for CpuTime {
    type Output = Self;

    fn sub(self, earlier: Self) -> Self {
        Self { user_s: self.user_s - earlier.user_s, system_s: self.system_s - earlier.system_s }
    }
}
