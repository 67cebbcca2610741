//! What a run produced and how people look at it: result file, interval logs, tables, comparison, plots.
