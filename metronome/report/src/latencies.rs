use std::borrow::Cow;

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use hdrhistogram::Histogram;
use hdrhistogram::iterators::IterationValue;
use hdrhistogram::serialization::{Deserializer, Serializer, V2DeflateSerializer};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer as DeserializeFrom, Serialize, Serializer as SerializeTo};

/// The longest time that is told from a longer one: an hour.
const LONGEST_NS: u64 = 3_600_000_000_000;
/// Every recorded time is right to 3 digits.
const DIGITS: u8 = 3;

/// Times in nanoseconds, each to three digits. As JSON it is the standard V2 compressed HdrHistogram in base64, the
/// same text that interval logs hold.
#[derive(Debug, Clone)]
pub struct Latencies(Form);

#[derive(Debug, Clone)]
enum Form {
    /// 270 KB: for recording and for asking often.
    Open(Histogram<u64>),
    /// 1 to 3 KB, V2 compressed: for the seconds of long runs.
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
    Histogram::new_with_bounds(1, LONGEST_NS, DIGITS).expect("constant bounds are valid")
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

    /// Counts one time; what is longer than an hour counts as an hour.
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

    /// Makes it a hundredth as large, and every later question a hundred times slower.
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

    /// The histogram itself, for whatever the methods here do not answer.
    pub fn histogram(&self) -> Cow<'_, Histogram<u64>> {
        match &self.0 {
            Form::Open(histogram) => Cow::Borrowed(histogram),
            Form::Packed(bytes) => Cow::Owned(expand(bytes).expect("packed from a histogram")),
        }
    }

    /// Each value that occurs, in nanoseconds and ascending, with how often it does.
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

    /// Milliseconds within which `percentile` percent of all requests were done; 0 if there were none.
    pub fn percentile_ms(&self, percentile: f64) -> f64 {
        self.histogram().value_at_percentile(percentile) as f64 / 1e6
    }

    /// The same, or nothing where fewer than one request lies beyond: then there is no such percentile to speak of.
    pub fn told_ms(&self, percentile: f64) -> Option<f64> {
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

    /// Standard V2 compressed form, in base64.
    pub fn to_base64(&self) -> String {
        match &self.0 {
            Form::Open(histogram) => BASE64.encode(compress(histogram)),
            Form::Packed(bytes) => BASE64.encode(bytes),
        }
    }

    /// # Errors
    /// Why the text is no histogram.
    pub fn from_base64(text: &str) -> Result<Self, String> {
        let bytes = BASE64.decode(text).map_err(|error| format!("not base64: {error}"))?;
        Ok(Self(Form::Open(expand(&bytes)?)))
    }
}

/// For fields of which a file holds thousands.
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
