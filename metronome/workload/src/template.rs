//! Bind markers of CQL.

/// Replaces each `:name` by `?` and returns the names in order. Leaves quoted text unchanged.
pub(crate) fn markers(cql: &str) -> (String, Vec<String>) {
    let (mut text, mut names) = (String::with_capacity(cql.len()), Vec::new());
    let mut quote: Option<char> = None;
    let mut chars = cql.chars().peekable();
    while let Some(c) = chars.next() {
        match quote {
            Some(open) if c == open => quote = None,
            None if c == '\'' || c == '"' => quote = Some(c),
            None if c == ':' && chars.peek().is_some_and(|next| next.is_ascii_lowercase()) => {
                let mut name = String::new();
                while let Some(next) = chars.next_if(|next| next.is_ascii_alphanumeric() || *next == '_') {
                    name.push(next);
                }
                names.push(name);
                text.push('?');
                continue;
            }
            _ => {}
        }
        text.push(c);
    }
    (text, names)
}
