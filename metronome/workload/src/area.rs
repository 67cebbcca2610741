//! Positions of moving things.

use std::f64::consts::TAU;

use crate::draw::{Stream, unit};

const METRES_PER_DEGREE: f64 = 111_320.0;

/// The coordinate that a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Axis {
    Latitude,
    Longitude,
}

/// A disc in which many things move. Homes are spread evenly over it; each thing drives around its own loop of 200 m to
/// 2 km, `step_m` further with every clustering row. Latitude and longitude with the same salt share their draw.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Area {
    pub salt: u64,
    pub latitude: f64,
    pub longitude: f64,
    pub radius_m: f64,
    pub step_m: f64,
}

impl Area {
    #[inline]
    pub(crate) fn coordinate(&self, axis: Axis, thing: u64, step: u64) -> f64 {
        let mut stream = Stream::new(self.salt, thing);
        let distance = self.radius_m * unit(stream.next()).sqrt();
        let direction = TAU * unit(stream.next());
        let loop_m = 200.0 + 1_800.0 * unit(stream.next());
        let angle = TAU * unit(stream.next()) + step as f64 * self.step_m / loop_m;
        match axis {
            Axis::Latitude => {
                let north = distance * direction.sin() + loop_m * angle.sin();
                (self.latitude + north / METRES_PER_DEGREE).clamp(-90.0, 90.0)
            }
            Axis::Longitude => {
                let east = distance * direction.cos() + loop_m * angle.cos();
                let degrees = east / (METRES_PER_DEGREE * self.latitude.to_radians().cos().max(0.01));
                (self.longitude + degrees + 180.0).rem_euclid(360.0) - 180.0
            }
        }
    }
}
