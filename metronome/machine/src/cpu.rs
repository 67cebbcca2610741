use std::num::NonZeroU64;

/// Binds the calling thread to a CPU, if given, and lets its sleeps end when they should, not up to 50 us later.
pub fn settle_on(cpu: Option<usize>) {
    // Both only sharpen timing: where the system forbids them, the hiccups of a run tell what that costs.
    let _ = rustix::thread::set_current_timer_slack(NonZeroU64::new(1));
    if let Some(cpu) = cpu {
        let mut set = rustix::thread::CpuSet::new();
        set.set(cpu);
        let _ = rustix::thread::sched_setaffinity(None, &set);
    }
}
