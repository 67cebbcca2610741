//! The open-loop load engine: one thread per core that owns its connections and records every request.
