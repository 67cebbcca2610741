//! A server that speaks CQL and does nothing: the ceiling of a load generator.
