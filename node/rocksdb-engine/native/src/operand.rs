//! The form of stored values, which `io.ringmaster.engine.encoding.OperandFormat` describes.

pub const PARTITION_DELETION: u8 = 1;
pub const RANGES: u8 = 2;
pub const LIVENESS: u8 = 4;
pub const ROW_DELETION: u8 = 8;
pub const SHADOWABLE: u8 = 16;
pub const CLUSTERING: u8 = 32;

pub const PATH: u8 = 1;
pub const COLUMN_DELETION: u8 = 2;
pub const EXPIRING: u8 = 4;
pub const TOMBSTONE: u8 = 8;
pub const COUNTER: u8 = 16;
pub const VALUE: u8 = 32;
pub const ROW_TIMESTAMP: u8 = 64;
pub const ROW_EXPIRATION: u8 = 128;

/// Cassandra's `NO_DELETION_TIME`.
pub const NEVER: u32 = u32::MAX;

/// A deletion supersedes the lesser ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Deletion {
    pub timestamp: i64,
    pub local: u32,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Range<'a> {
    pub deletion: Deletion,
    pub start: &'a [u8],
    pub end: &'a [u8],
    pub written: &'a [u8],
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Liveness {
    pub timestamp: i64,
    pub ttl: u32,
    /// `NEVER` without a TTL.
    pub expiration: u32,
}

/// A cell, or the deletion of a whole collection.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell<'a> {
    pub column: u16,
    pub is_column_deletion: bool,
    pub path: Option<&'a [u8]>,
    pub timestamp: i64,
    pub ttl: u32,
    /// `NEVER` for a live cell that does not expire.
    pub local: u32,
    pub is_counter: bool,
    pub value: Value<'a>,
}

/// The value of a cell. Only merged counters own their bytes.
#[derive(Clone, Debug, PartialEq)]
pub enum Value<'a> {
    Stored(&'a [u8]),
    Merged(Vec<u8>),
}

impl Value<'_> {
    pub fn bytes(&self) -> &[u8] {
        match self {
            Value::Stored(bytes) => bytes,
            Value::Merged(bytes) => bytes,
        }
    }
}

impl<'a> Cell<'a> {
    pub fn is_expiring(&self) -> bool {
        self.ttl != 0
    }

    pub fn is_tombstone(&self) -> bool {
        !self.is_column_deletion && self.local != NEVER && self.ttl == 0
    }

    /// The order in which cells are stored.
    pub fn place(&self) -> (u16, bool, Option<&'a [u8]>) {
        (self.column, !self.is_column_deletion, self.path)
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Operand<'a> {
    pub partition_deletion: Option<Deletion>,
    pub ranges: Vec<Range<'a>>,
    pub liveness: Option<Liveness>,
    pub row_deletion: Option<Deletion>,
    pub is_shadowable: bool,
    pub clustering: Option<&'a [u8]>,
    pub cells: Vec<Cell<'a>>,
}

impl Operand<'_> {
    pub fn is_empty(&self) -> bool {
        self.partition_deletion.is_none()
            && self.ranges.is_empty()
            && self.liveness.is_none()
            && self.row_deletion.is_none()
            && self.cells.is_empty()
    }
}

/// A value in another form.
#[derive(Debug, PartialEq)]
pub struct Malformed;

struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, length: usize) -> Result<&'a [u8], Malformed> {
        if length > self.0.len() {
            return Err(Malformed);
        }
        let (taken, rest) = self.0.split_at(length);
        self.0 = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Malformed> {
        self.take(N)?.try_into().map_err(|_| Malformed)
    }

    fn u8(&mut self) -> Result<u8, Malformed> {
        Ok(self.array::<1>()?[0])
    }

    fn u16(&mut self) -> Result<u16, Malformed> {
        Ok(u16::from_be_bytes(self.array()?))
    }

    fn u32(&mut self) -> Result<u32, Malformed> {
        Ok(u32::from_be_bytes(self.array()?))
    }

    fn i64(&mut self) -> Result<i64, Malformed> {
        Ok(i64::from_be_bytes(self.array()?))
    }

    fn bytes(&mut self) -> Result<&'a [u8], Malformed> {
        let length = self.u32()? as usize;
        self.take(length)
    }

    fn deletion(&mut self) -> Result<Deletion, Malformed> {
        Ok(Deletion { timestamp: self.i64()?, local: self.u32()? })
    }

    fn liveness(&mut self) -> Result<Liveness, Malformed> {
        let timestamp = self.i64()?;
        let ttl = self.u32()?;
        let expiration = if ttl == 0 { NEVER } else { self.u32()? };
        Ok(Liveness { timestamp, ttl, expiration })
    }

    fn cell(&mut self, liveness: Option<Liveness>) -> Result<Cell<'a>, Malformed> {
        let flags = self.u8()?;
        let column = self.u16()?;
        if flags & COLUMN_DELETION != 0 {
            let deletion = self.deletion()?;
            return Ok(Cell {
                column,
                is_column_deletion: true,
                path: None,
                timestamp: deletion.timestamp,
                ttl: 0,
                local: deletion.local,
                is_counter: false,
                value: Value::Stored(&[]),
            });
        }
        let path = if flags & PATH != 0 {
            let length = self.u16()? as usize;
            Some(self.take(length)?)
        } else {
            None
        };
        let timestamp = if flags & ROW_TIMESTAMP != 0 { liveness.ok_or(Malformed)?.timestamp } else { self.i64()? };
        let (ttl, local) = if flags & ROW_EXPIRATION != 0 {
            let row = liveness.ok_or(Malformed)?;
            (row.ttl, row.expiration)
        } else {
            let ttl = if flags & EXPIRING != 0 { self.u32()? } else { 0 };
            (ttl, if flags & (EXPIRING | TOMBSTONE) != 0 { self.u32()? } else { NEVER })
        };
        let value = if flags & VALUE != 0 { self.bytes()? } else { &[] };
        Ok(Cell {
            column,
            is_column_deletion: false,
            path,
            timestamp,
            ttl,
            local,
            is_counter: flags & COUNTER != 0,
            value: Value::Stored(value),
        })
    }

    fn operand(&mut self) -> Result<Operand<'a>, Malformed> {
        let mut body = Reader(self.bytes()?);
        let flags = body.u8()?;
        let mut operand = Operand::default();
        if flags & PARTITION_DELETION != 0 {
            operand.partition_deletion = Some(body.deletion()?);
        }
        if flags & RANGES != 0 {
            for _ in 0..body.u32()? {
                operand.ranges.push(Range {
                    deletion: body.deletion()?,
                    start: body.bytes()?,
                    end: body.bytes()?,
                    written: body.bytes()?,
                });
            }
        }
        if flags & LIVENESS != 0 {
            operand.liveness = Some(body.liveness()?);
        }
        if flags & ROW_DELETION != 0 {
            operand.row_deletion = Some(body.deletion()?);
            operand.is_shadowable = flags & SHADOWABLE != 0;
        }
        if flags & CLUSTERING != 0 {
            operand.clustering = Some(body.bytes()?);
        }
        while !body.0.is_empty() {
            operand.cells.push(body.cell(operand.liveness)?);
        }
        Ok(operand)
    }
}

/// Appends the operands of a value to a list.
pub fn read<'a>(value: &'a [u8], into: &mut Vec<Operand<'a>>) -> Result<(), Malformed> {
    let mut reader = Reader(value);
    while !reader.0.is_empty() {
        into.push(reader.operand()?);
    }
    Ok(())
}

/// Whether the value is a single operand, judged by its length field only.
pub fn is_single(value: &[u8]) -> bool {
    Reader(value).bytes().is_ok_and(|body| body.len() + 4 == value.len())
}

fn put_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    out.extend((bytes.len() as u32).to_be_bytes());
    out.extend(bytes);
}

fn put_deletion(out: &mut Vec<u8>, deletion: Deletion) {
    out.extend(deletion.timestamp.to_be_bytes());
    out.extend(deletion.local.to_be_bytes());
}

fn put_cell(out: &mut Vec<u8>, cell: &Cell, liveness: Option<Liveness>) {
    if cell.is_column_deletion {
        out.push(COLUMN_DELETION);
        out.extend(cell.column.to_be_bytes());
        put_deletion(out, Deletion { timestamp: cell.timestamp, local: cell.local });
        return;
    }
    let value = cell.value.bytes();
    let is_row_timestamp = liveness.is_some_and(|row| row.timestamp == cell.timestamp);
    let is_row_expiration =
        cell.is_expiring() && liveness.is_some_and(|row| row.ttl == cell.ttl && row.expiration == cell.local);
    let flag = |is_set: bool, flag: u8| if is_set { flag } else { 0 };
    out.push(
        flag(cell.path.is_some(), PATH)
            | flag(cell.is_expiring(), EXPIRING)
            | flag(cell.is_tombstone(), TOMBSTONE)
            | flag(cell.is_counter, COUNTER)
            | flag(!value.is_empty(), VALUE)
            | flag(is_row_timestamp, ROW_TIMESTAMP)
            | flag(is_row_expiration, ROW_EXPIRATION),
    );
    out.extend(cell.column.to_be_bytes());
    if let Some(path) = cell.path {
        out.extend((path.len() as u16).to_be_bytes());
        out.extend(path);
    }
    if !is_row_timestamp {
        out.extend(cell.timestamp.to_be_bytes());
    }
    if cell.is_expiring() && !is_row_expiration {
        out.extend(cell.ttl.to_be_bytes());
    }
    if cell.is_tombstone() || (cell.is_expiring() && !is_row_expiration) {
        out.extend(cell.local.to_be_bytes());
    }
    if !value.is_empty() {
        put_bytes(out, value);
    }
}

pub fn write(operand: &Operand, out: &mut Vec<u8>) {
    let start = out.len();
    out.extend([0; 5]);
    let mut flags = 0;
    if let Some(deletion) = operand.partition_deletion {
        flags |= PARTITION_DELETION;
        put_deletion(out, deletion);
    }
    if !operand.ranges.is_empty() {
        flags |= RANGES;
        out.extend((operand.ranges.len() as u32).to_be_bytes());
        for range in &operand.ranges {
            put_deletion(out, range.deletion);
            put_bytes(out, range.start);
            put_bytes(out, range.end);
            put_bytes(out, range.written);
        }
    }
    if let Some(liveness) = operand.liveness {
        flags |= LIVENESS;
        out.extend(liveness.timestamp.to_be_bytes());
        out.extend(liveness.ttl.to_be_bytes());
        if liveness.ttl != 0 {
            out.extend(liveness.expiration.to_be_bytes());
        }
    }
    if let Some(deletion) = operand.row_deletion {
        flags |= ROW_DELETION | if operand.is_shadowable { SHADOWABLE } else { 0 };
        put_deletion(out, deletion);
    }
    if let Some(clustering) = operand.clustering {
        flags |= CLUSTERING;
        put_bytes(out, clustering);
    }
    for cell in &operand.cells {
        put_cell(out, cell, operand.liveness);
    }
    let length = (out.len() - start - 4) as u32;
    out[start..start + 4].copy_from_slice(&length.to_be_bytes());
    out[start + 4] = flags;
}
