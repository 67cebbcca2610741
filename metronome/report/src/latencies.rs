use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use hdrhistogram::Histogram;
use hdrhistogram::serialization::{Deserializer, Serializer, V2DeflateSerializer};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer as DeserializeFrom, Serialize, Serializer as SerializeTo};

/// The longest time that is told from a longer one: an hour.
const LONGEST_NS: u64 = 3_600_000_000_000;
/// Every recorded time is right to 3 digits.
const DIGITS: u8 = 3;

/// Times in nanoseconds, each to three digits. As JSON it is the standard V2 compressed HdrHistogram in base64, the
/// same text that interval logs hold.
#[derive(Debug, Clone, PartialEq)]
pub struct Latencies(Histogram<u64>);

impl Default for Latencies {
    fn default() -> Self {
        Self::new()
    }
}

impl Latencies {
    pub fn new() -> Self {
        Self(Histogram::new_with_bounds(1, LONGEST_NS, DIGITS).expect("constant bounds are valid"))
    }

    /// Counts one time; what is longer than an hour counts as an hour.
    #[inline]
    pub fn record_ns(&mut self, nanoseconds: u64) {
        self.0.saturating_record(nanoseconds);
    }

    pub fn add(&mut self, other: &Latencies) {
        self.0.add(&other.0).expect("all histograms have the same bounds");
    }

    pub fn clear(&mut self) {
        self.0.reset();
    }

    pub fn count(&self) -> u64 {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Milliseconds within which `percentile` percent of all requests were done; 0 if there were none.
    pub fn percentile_ms(&self, percentile: f64) -> f64 {
        self.0.value_at_percentile(percentile) as f64 / 1e6
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
        self.0.max() as f64 / 1e6
    }

    pub fn mean_ms(&self) -> f64 {
        self.0.mean() / 1e6
    }

    pub fn histogram(&self) -> &Histogram<u64> {
        &self.0
    }

    /// Standard V2 compressed form, in base64.
    pub fn to_base64(&self) -> String {
        let mut bytes = Vec::new();
        V2DeflateSerializer::new().serialize(&self.0, &mut bytes).expect("writing to memory cannot fail");
        BASE64.encode(bytes)
    }

    /// # Errors
    /// Why the text is no histogram.
    pub fn from_base64(text: &str) -> Result<Self, String> {
        let bytes = BASE64.decode(text).map_err(|error| format!("not base64: {error}"))?;
        let read: Histogram<u64> = Deserializer::new()
            .deserialize(&mut bytes.as_slice())
            .map_err(|error| format!("not a histogram: {error}"))?;
        let mut latencies = Self::new();
        latencies.0.add(&read).map_err(|error| format!("a histogram of other bounds: {error}"))?;
        Ok(latencies)
    }
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
