//! Tables, statements and the values in them: every key and value is a pure function of seed and row index.
