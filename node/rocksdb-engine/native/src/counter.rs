//! Merges counters as `CounterContext` does, if all their shards are global. Since Cassandra 2.1 no other kind is
//! written.

const HEADER: usize = 2;
const ELEMENT: usize = 2;
const ID: usize = 16;
const SHARD: usize = ID + 8 + 8;

/// The shards of a context, if all of them are global and in order.
fn shards(context: &[u8]) -> Option<&[u8]> {
    let elements = i16::from_be_bytes(context.get(..HEADER)?.try_into().ok()?);
    let count = usize::try_from(elements).ok()?;
    let body = context.get(HEADER + count * ELEMENT..)?;
    let is_global = |i: usize| {
        let at = HEADER + i * ELEMENT;
        i16::from_be_bytes([context[at], context[at + 1]]) == i16::MIN.wrapping_add(i as i16)
    };
    (body.len() == count * SHARD && (0..count).all(is_global)).then_some(body)
}

/// None if a context has shards that are not global, which only Java code merges.
pub fn merge(a: &[u8], b: &[u8]) -> Option<Vec<u8>> {
    let (mut a, mut b) = (shards(a)?, shards(b)?);
    let mut merged: Vec<u8> = Vec::with_capacity(a.len() + b.len());
    while !a.is_empty() && !b.is_empty() {
        let (left, right) = (&a[..SHARD], &b[..SHARD]);
        let order = left[..ID].cmp(&right[..ID]);
        if order.is_lt() || (order.is_eq() && clock_and_count(left) >= clock_and_count(right)) {
            merged.extend(left);
        } else {
            merged.extend(right);
        }
        if order.is_le() {
            a = &a[SHARD..];
        }
        if order.is_ge() {
            b = &b[SHARD..];
        }
    }
    merged.extend(a);
    merged.extend(b);
    let count = i16::try_from(merged.len() / SHARD).ok()?;
    let mut context = count.to_be_bytes().to_vec();
    for i in 0..count {
        context.extend(i16::MIN.wrapping_add(i).to_be_bytes());
    }
    context.extend(merged);
    Some(context)
}

fn clock_and_count(shard: &[u8]) -> (i64, i64) {
    let number = |at: usize| i64::from_be_bytes(std::array::from_fn(|i| shard[at + i]));
    (number(ID), number(ID + 8))
}
