//! Generators of column values.

use rand_distr::{Distribution, Normal, Zipf};

use crate::area::{Area, Axis};
use crate::cql_type::Number;
use crate::draw::{DISTINCT_CHARS, Stream, below, fill_bytes, fill_text, mix, spell, unit};
use crate::encode::{DURATION_BYTES, copy, put_duration, put_real, put_whole};

/// The row of a value: row = partition + partitions * clustering. Columns of the partition key and static columns are
/// drawn from `partition`, clustering columns from `clustering`, all others from `row`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    pub row: u64,
    pub partition: u64,
    pub clustering: u64,
}

/// Generates the values of one column: the same bytes for the same salt and index.
#[derive(Debug, Clone)]
pub(crate) struct Generator {
    pub salt: u64,
    pub fill: Fill,
}

#[derive(Debug, Clone)]
pub(crate) enum Fill {
    Whole(Number, WholeDraw),
    Real(Number, RealDraw),
    Digits {
        prefix: Vec<u8>,
        digits: usize,
        start: i64,
        step: i64,
    },
    Text {
        prefix: Vec<u8>,
        size: Size,
        distinct: bool,
    },
    Bytes(Size),
    Boolean,
    Inet,
    Uuid,
    Timeuuid(Ticks),
    Timestamp(Ticks),
    Date(Ticks),
    TimeOfDay(Ticks),
    OneOf(Vec<Vec<u8>>),
    FloatVector(u16),
    Duration,
    /// A list or set; with `keys`, a map.
    Elements {
        size: Size,
        keys: Option<Box<Generator>>,
        of: Box<Generator>,
    },
    /// The fields of a user-defined type, in order.
    Fields(Vec<Generator>),
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum WholeDraw {
    Sequence {
        start: i64,
        step: i64,
    },
    /// `span` values from `min` on; a span of 0 stands for 2^64.
    Uniform {
        min: i64,
        span: u64,
    },
    Zipf {
        min: i64,
        zipf: Zipf<f64>,
    },
    Gaussian {
        normal: Normal<f64>,
        min: i64,
        max: i64,
    },
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum RealDraw {
    Uniform { min: f64, width: f64 },
    Gaussian { normal: Normal<f64>, min: f64, max: f64 },
    Coordinate(Axis, Area),
}

/// Milliseconds since 1970: `start_ms + index * step_ms`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ticks {
    pub start_ms: i64,
    pub step_ms: i64,
}

impl Ticks {
    #[inline]
    fn at(self, index: u64) -> i64 {
        self.start_ms.wrapping_add((index as i64).wrapping_mul(self.step_ms))
    }

    /// Days since 1970 plus 2^31 (native_protocol_v5.spec, section 5.4).
    #[inline]
    fn date(self, index: u64) -> u32 {
        (self.at(index).div_euclid(MS_PER_DAY) + (1 << 31)) as u32
    }

    #[inline]
    fn nanos_of_day(self, index: u64) -> i64 {
        self.at(index).rem_euclid(MS_PER_DAY) * 1_000_000
    }
}

/// A number of bytes or elements, both bounds included.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Size {
    pub min: u32,
    pub max: u32,
}

impl Size {
    #[inline]
    fn draw(self, mut stream: Stream) -> usize {
        if self.min == self.max {
            return self.min as usize;
        }
        let span = u64::from(self.max - self.min) + 1;
        self.min as usize + below(stream.next(), span) as usize
    }
}

const MS_PER_DAY: i64 = 86_400_000;
const NANOS_PER_DAY: u64 = 86_400_000_000_000;
/// Time from 1582-10-15, the epoch of version 1 UUIDs, to 1970, in units of 100 ns (RFC 9562, section 5.1).
const UUID_EPOCH: i64 = 0x01B2_1DD2_1381_4000;

impl Generator {
    /// Size of the largest value; `put` needs room for [`crate::draw::SLACK`] more bytes.
    pub(crate) fn max_bytes(&self) -> usize {
        match &self.fill {
            Fill::Whole(number, _) | Fill::Real(number, _) => number.max_bytes(),
            Fill::Digits { prefix, digits, .. } => prefix.len() + 20.max(*digits),
            Fill::Text { prefix, size, .. } => prefix.len() + size.max as usize,
            Fill::Bytes(size) => size.max as usize,
            Fill::Boolean => 1,
            Fill::Inet | Fill::Date(_) => 4,
            Fill::Uuid | Fill::Timeuuid(_) => 16,
            Fill::Timestamp(_) | Fill::TimeOfDay(_) => 8,
            Fill::OneOf(values) => values.iter().map(Vec::len).max().unwrap_or(0),
            Fill::FloatVector(dimensions) => 4 * usize::from(*dimensions),
            Fill::Duration => DURATION_BYTES,
            Fill::Elements { size, keys, of } => {
                let key_bytes = keys.as_ref().map_or(0, |keys| 4 + keys.max_bytes());
                4 + size.max as usize * (key_bytes + 4 + of.max_bytes())
            }
            Fill::Fields(fields) => fields.iter().map(|field| 4 + field.max_bytes()).sum(),
        }
    }

    /// Writes the value for `index` to the start of `out` and returns its size.
    #[inline]
    pub(crate) fn put(&self, index: u64, place: &Place, out: &mut [u8]) -> usize {
        match &self.fill {
            Fill::Bytes(size) => {
                let stream = Stream::new(self.salt, index);
                fill_bytes(stream, size.draw(stream), out)
            }
            Fill::Text { prefix, size, distinct } => self.put_text(prefix, *size, *distinct, index, out),
            Fill::Whole(number, draw) => put_whole(*number, self.whole(draw, index), out),
            Fill::Real(number, draw) => put_real(*number, self.real(draw, index, place), out),
            Fill::Digits { prefix, digits, start, step } => {
                out[..prefix.len()].copy_from_slice(prefix);
                let value = start.wrapping_add((index as i64).wrapping_mul(*step));
                prefix.len() + put_digits(value, *digits, &mut out[prefix.len()..])
            }
            Fill::Boolean => copy(&[(mix(self.salt, index) >> 63) as u8], out),
            Fill::Inet => copy(&((mix(self.salt, index) >> 32) as u32).to_be_bytes(), out),
            Fill::Uuid => copy(&self.uuid(index).to_be_bytes(), out),
            Fill::Timeuuid(ticks) => copy(&timeuuid(ticks.at(index), mix(self.salt, place.row)).to_be_bytes(), out),
            Fill::Timestamp(ticks) => copy(&ticks.at(index).to_be_bytes(), out),
            Fill::Date(ticks) => copy(&ticks.date(index).to_be_bytes(), out),
            Fill::TimeOfDay(ticks) => copy(&ticks.nanos_of_day(index).to_be_bytes(), out),
            Fill::OneOf(values) => copy(&values[below(mix(self.salt, index), values.len() as u64) as usize], out),
            Fill::FloatVector(dimensions) => self.put_float_vector(usize::from(*dimensions), index, out),
            Fill::Duration => {
                let mut stream = Stream::new(self.salt, index);
                let (months, days) = (below(stream.next(), 12) as i32, below(stream.next(), 30) as i32);
                put_duration(months, days, below(stream.next(), NANOS_PER_DAY) as i64, out)
            }
            Fill::Elements { size, keys, of } => self.put_elements(*size, keys.as_deref(), of, index, place, out),
            Fill::Fields(fields) => put_fields(fields, index, place, out),
        }
    }

    #[inline]
    fn put_text(&self, prefix: &[u8], size: Size, distinct: bool, index: u64, out: &mut [u8]) -> usize {
        let stream = Stream::new(self.salt, index);
        let size = size.draw(stream);
        let (head, text) = out.split_at_mut(prefix.len());
        head.copy_from_slice(prefix);
        if distinct {
            spell(mix(self.salt, index), text);
            fill_text(stream, size - DISTINCT_CHARS, &mut text[DISTINCT_CHARS..]);
        } else {
            fill_text(stream, size, text);
        }
        prefix.len() + size
    }

    #[inline]
    fn uuid(&self, index: u64) -> u128 {
        let mut stream = Stream::new(self.salt, index);
        let high = (mix(self.salt, index) & !0xF000) | 0x4000;
        let low = (stream.next() >> 2) | (1 << 63);
        (u128::from(high) << 64) | u128::from(low)
    }

    #[inline]
    fn put_float_vector(&self, dimensions: usize, index: u64, out: &mut [u8]) -> usize {
        let mut stream = Stream::new(self.salt, index);
        for four in out[..4 * dimensions].chunks_exact_mut(4) {
            let value = 2.0 * unit(stream.next()) - 1.0;
            four.copy_from_slice(&(value as f32).to_be_bytes());
        }
        4 * dimensions
    }

    fn put_elements(
        &self,
        size: Size,
        keys: Option<&Generator>,
        of: &Generator,
        index: u64,
        place: &Place,
        out: &mut [u8],
    ) -> usize {
        let count = size.draw(Stream::new(self.salt, index)) as u64;
        let mut end = copy(&(count as u32).to_be_bytes(), out);
        for at in 0..count {
            // Numbers elements consecutively over all rows, so that a sequence does not repeat within a set.
            let element = index.wrapping_mul(u64::from(size.max)).wrapping_add(at);
            for generator in keys.into_iter().chain([of]) {
                end += generator.put_sized(element, place, &mut out[end..]);
            }
        }
        end
    }

    /// Writes a [value]: its size as an [int], then the bytes.
    fn put_sized(&self, index: u64, place: &Place, out: &mut [u8]) -> usize {
        let size = self.put(index, place, &mut out[4..]);
        out[..4].copy_from_slice(&(size as u32).to_be_bytes());
        4 + size
    }

    #[inline]
    fn whole(&self, draw: &WholeDraw, index: u64) -> i64 {
        match draw {
            WholeDraw::Sequence { start, step } => start.wrapping_add((index as i64).wrapping_mul(*step)),
            WholeDraw::Uniform { span: 0, .. } => mix(self.salt, index) as i64,
            WholeDraw::Uniform { min, span } => min.wrapping_add(below(mix(self.salt, index), *span) as i64),
            WholeDraw::Zipf { min, zipf } => {
                min.saturating_add(zipf.sample(&mut Stream::new(self.salt, index)) as i64 - 1)
            }
            WholeDraw::Gaussian { normal, min, max } => {
                (normal.sample(&mut Stream::new(self.salt, index)).round() as i64).clamp(*min, *max)
            }
        }
    }

    #[inline]
    fn real(&self, draw: &RealDraw, index: u64, place: &Place) -> f64 {
        match draw {
            RealDraw::Uniform { min, width } => min + width * unit(mix(self.salt, index)),
            RealDraw::Gaussian { normal, min, max } => {
                normal.sample(&mut Stream::new(self.salt, index)).clamp(*min, *max)
            }
            RealDraw::Coordinate(axis, area) => area.coordinate(*axis, place.partition, place.clustering),
        }
    }
}

fn put_fields(fields: &[Generator], index: u64, place: &Place, out: &mut [u8]) -> usize {
    let mut end = 0;
    for field in fields {
        end += field.put_sized(index, place, &mut out[end..]);
    }
    end
}

/// Writes a decimal number, filled with zeros on the left to `digits`.
fn put_digits(value: i64, digits: usize, out: &mut [u8]) -> usize {
    let mut rest = value.unsigned_abs();
    let mut width = rest.checked_ilog10().unwrap_or(0) as usize + 1;
    if value < 0 {
        width += 1;
    }
    let width = width.max(digits);
    for byte in out[..width].iter_mut().rev() {
        *byte = b'0' + (rest % 10) as u8;
        rest /= 10;
    }
    if value < 0 {
        out[0] = b'-';
    }
    width
}

fn timeuuid(ms: i64, node: u64) -> u128 {
    let time = ms.wrapping_mul(10_000).wrapping_add(UUID_EPOCH) as u64;
    let high = (time << 32) | ((time >> 16) & 0xFFFF_0000) | ((time >> 48) & 0x0FFF) | 0x1000;
    let low = (node >> 2) | (1 << 63);
    (u128::from(high) << 64) | u128::from(low)
}
