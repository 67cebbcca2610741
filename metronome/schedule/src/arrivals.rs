//! Distribution of requests within the offered rate.

/// Spacing of the requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arrivals {
    /// Evenly spaced: request `i` starts when the profile has offered `i` requests.
    Even,
    /// A Poisson process with the profile's rate: independent users. Each lane is an independent Poisson process with
    /// an equal share; their union is exactly Poisson. The arrivals therefore depend on seed and number of lanes.
    Poisson { seed: u64 },
}

/// An exponential gap of mean 1, a pure function of its arguments.
pub(crate) fn exponential_gap(seed: u64, lane: u32, step: u64) -> f64 {
    let bits = mix(mix(seed ^ (u64::from(lane) << 48)).wrapping_add(step));
    // Maps 53 random bits to (0, 1], so that the logarithm is finite.
    let unit = ((bits >> 11) + 1) as f64 / (1u64 << 53) as f64;
    -unit.ln()
}

/// The finaliser of SplitMix64 (Steele, Lea, Flood 2014).
fn mix(x: u64) -> u64 {
    let z = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
