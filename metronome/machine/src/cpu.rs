use std::num::NonZeroU64;

/// Binds the calling thread to a CPU, if given, and sets its timer slack to 1 ns (the default is 50 us).
pub fn settle_on(cpu: Option<usize>) {
    // Both only sharpen timing. Where the system forbids them, the hiccups of a run show the cost.
    let _ = rustix::thread::set_current_timer_slack(NonZeroU64::new(1));
    if let Some(cpu) = cpu {
        let mut set = rustix::thread::CpuSet::new();
        set.set(cpu);
        let _ = rustix::thread::sched_setaffinity(None, &set);
    }
}
