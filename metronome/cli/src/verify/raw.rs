//! Values in the wire format, without the driver's types.

use scylla::deserialize::row::ColumnIterator;
use scylla::errors::SerializationError;
use scylla::response::query_result::QueryRowsResult;
use scylla::serialize::row::{RowSerializationContext, SerializeRow};
use scylla::serialize::writers::RowWriter;

/// Encoded values to bind.
#[derive(Debug)]
pub(super) struct RawValues(Vec<Vec<u8>>);

impl RawValues {
    /// Splits a count and values as in EXECUTE.
    pub(super) fn of(encoded: Vec<u8>) -> Self {
        let mut values = Vec::new();
        let mut rest = encoded.get(2..).unwrap_or_default();
        while let Ok(Some(value)) = cql::read::bytes(&mut rest) {
            values.push(value.to_vec());
        }
        Self(values)
    }
}

impl SerializeRow for RawValues {
    fn serialize(&self, _: &RowSerializationContext<'_>, writer: &mut RowWriter<'_>) -> Result<(), SerializationError> {
        for value in &self.0 {
            writer.make_cell_writer().set_value(value).map_err(SerializationError::new)?;
        }
        Ok(())
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Returns the cells of the first row, if there is one.
pub(super) fn first_row(result: &QueryRowsResult) -> Result<Option<Vec<Option<Vec<u8>>>>, String> {
    let row = result.maybe_first_row::<ColumnIterator<'_, '_>>().map_err(|e| e.to_string())?;
    let Some(columns) = row else { return Ok(None) };
    let mut cells = Vec::new();
    for column in columns {
        let column = column.map_err(|e| e.to_string())?;
        cells.push(column.slice.map(|slice| slice.as_slice().to_vec()));
    }
    Ok(Some(cells))
}
