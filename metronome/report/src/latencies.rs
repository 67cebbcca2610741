//! Histograms of times.

use std::borrow::Cow;

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use hdrhistogram::Histogram;
use hdrhistogram::iterators::IterationValue;
use hdrhistogram::serialization::{Deserializer, Serializer, V2DeflateSerializer};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer as DeserializeFrom, Serialize, Serializer as SerializeTo};

/// Upper bound of the histograms: one hour. Longer times count as one hour.
const MAX_NS: u64 = 3_600_000_000_000;
/// Significant digits of every recorded time.
const DIGITS: u8 = 3;

/// Times in nanoseconds with three significant digits. The JSON form is the standard V2 compressed HdrHistogram in
/// base64, as in interval logs.
#[derive(Debug, Clone)]
pub struct Latencies(Form);

#[derive(Debug, Clone)]
enum Form {
    /// 270 KB, for recording and frequent queries.
    Open(Histogram<u64>),
    /// 1 to 3 KB, V2 compressed, for the intervals of long runs.
    Packed(Box<[u8]>),
}

impl Default for Latencies {
    fn default() -> Self {
        Self::new()
    }
}

impl PartialEq for Latencies {
    fn eq(&self, other: &Self) -> bool {
        *self.histogram() == *other.histogram()
    }
}

fn empty() -> Histogram<u64> {
    Histogram::new_with_bounds(1, MAX_NS, DIGITS).expect("constant bounds are valid")
}

fn compress(histogram: &Histogram<u64>) -> Vec<u8> {
    let mut bytes = Vec::new();
    V2DeflateSerializer::new().serialize(histogram, &mut bytes).expect("writing to memory cannot fail");
    bytes
}

fn expand(bytes: &[u8]) -> Result<Histogram<u64>, String> {
    let read: Histogram<u64> =
        Deserializer::new().deserialize(&mut &*bytes).map_err(|error| format!("not a histogram: {error}"))?;
    let mut histogram = empty();
    histogram.add(&read).map_err(|error| format!("a histogram of other bounds: {error}"))?;
    Ok(histogram)
}

impl Latencies {
    pub fn new() -> Self {
        Self(Form::Open(empty()))
    }

    /// Counts one time. Times above one hour count as one hour.
    #[inline]
    pub fn record_ns(&mut self, nanoseconds: u64) {
        self.open().saturating_record(nanoseconds);
    }

    pub fn add(&mut self, other: &Latencies) {
        self.open().add(&*other.histogram()).expect("all histograms have the same bounds");
    }

    pub fn clear(&mut self) {
        self.open().reset();
    }

    /// Compresses the histogram to a hundredth of its size. Later queries take a hundred times as long.
    pub fn pack(&mut self) {
        if let Form::Open(histogram) = &self.0 {
            self.0 = Form::Packed(compress(histogram).into());
        }
    }

    fn open(&mut self) -> &mut Histogram<u64> {
        if matches!(self.0, Form::Packed(_)) {
            self.0 = Form::Open(self.histogram().into_owned());
        }
        match &mut self.0 {
            Form::Open(histogram) => histogram,
            Form::Packed(_) => unreachable!("opened above"),
        }
    }

    /// The histogram, for queries that have no method here.
    pub fn histogram(&self) -> Cow<'_, Histogram<u64>> {
        match &self.0 {
            Form::Open(histogram) => Cow::Borrowed(histogram),
            Form::Packed(bytes) => Cow::Owned(expand(bytes).expect("packed from a histogram")),
        }
    }

    /// Returns the recorded values in nanoseconds, ascending, each with its count.
    pub fn values(&self) -> Vec<(u64, u64)> {
        let step = |step: IterationValue<u64>| (step.value_iterated_to(), step.count_since_last_iteration());
        self.histogram().iter_recorded().map(step).collect()
    }

    pub fn count(&self) -> u64 {
        self.histogram().len()
    }

    pub fn is_empty(&self) -> bool {
        self.count() == 0
    }

    /// The percentile in milliseconds; 0 without requests.
    pub fn percentile_ms(&self, percentile: f64) -> f64 {
        self.histogram().value_at_percentile(percentile) as f64 / 1e6
    }

    /// The percentile in milliseconds; `None` if no request lies beyond it, since the data does not support it then.
    pub fn supported_percentile_ms(&self, percentile: f64) -> Option<f64> {
        let beyond = self.count() as f64 * (100.0 - percentile) / 100.0;
        match percentile >= 100.0 {
            true => (!self.is_empty()).then(|| self.max_ms()),
            false => (beyond >= 1.0 - 1e-9).then(|| self.percentile_ms(percentile)),
        }
    }

    pub fn max_ms(&self) -> f64 {
        self.histogram().max() as f64 / 1e6
    }

    pub fn mean_ms(&self) -> f64 {
        self.histogram().mean() / 1e6
    }

    /// The standard V2 compressed form in base64.
    pub fn to_base64(&self) -> String {
        match &self.0 {
            Form::Open(histogram) => BASE64.encode(compress(histogram)),
            Form::Packed(bytes) => BASE64.encode(bytes),
        }
    }

    /// # Errors
    /// When the text is not a histogram.
    pub fn from_base64(text: &str) -> Result<Self, String> {
        let bytes = BASE64.decode(text).map_err(|error| format!("not base64: {error}"))?;
        Ok(Self(Form::Open(expand(&bytes)?)))
    }
}

/// Deserializes to the packed form, for fields that occur thousands of times in a file.
pub(crate) fn packed<'de, D: DeserializeFrom<'de>>(from: D) -> Result<Latencies, D::Error> {
    let mut latencies = Latencies::deserialize(from)?;
    latencies.pack();
    Ok(latencies)
}

impl Serialize for Latencies {
    fn serialize<S: SerializeTo>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&self.to_base64())
    }
}

impl<'de> Deserialize<'de> for Latencies {
    fn deserialize<D: DeserializeFrom<'de>>(from: D) -> Result<Self, D::Error> {
        Latencies::from_base64(&String::deserialize(from)?).map_err(D::Error::custom)
    }
}
