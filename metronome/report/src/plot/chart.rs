//! Line charts as SVG.

use std::fmt::Write;

use super::scale::{Scale, Tick};

const WIDTH: f64 = 760.0;
const LEFT: f64 = 62.0;
const TOP: f64 = 14.0;
const BOTTOM: f64 = 44.0;
/// Maximum length of a line's name; longer ones are cut.
const MAX_NAME_CHARS: usize = 28;
/// Minimum distance of two names.
const NAME_HEIGHT: f64 = 14.0;

/// Style of a line. Lines also differ in dash and darkness, so that they can be distinguished without colour.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ink {
    pub colour: &'static str,
    pub dash: &'static str,
    pub width: f64,
}

/// Colours of Okabe and Ito (2008), which colour-blind people can distinguish, from dark to light.
pub(super) const INKS: [Ink; 7] = [
    Ink { colour: "#000000", dash: "", width: 2.0 },
    Ink { colour: "#0072B2", dash: "7 3", width: 2.0 },
    Ink { colour: "#D55E00", dash: "2 2", width: 2.0 },
    Ink { colour: "#009E73", dash: "10 3 2 3", width: 2.0 },
    Ink { colour: "#CC79A7", dash: "14 4", width: 2.0 },
    Ink { colour: "#56B4E9", dash: "", width: 2.0 },
    Ink { colour: "#E69F00", dash: "5 2 1 2 1 2", width: 2.0 },
];

/// The ink of the n-th line. After the last ink they repeat with thinner lines.
pub(super) fn ink(at: usize) -> Ink {
    let ink = INKS[at % INKS.len()];
    Ink { width: if at < INKS.len() { ink.width } else { 1.0 }, ..ink }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Marker {
    Filled,
    Hollow,
    Cross,
}

/// A named line; a point `None` breaks it.
pub(super) struct Line {
    pub name: String,
    pub ink: Ink,
    pub points: Vec<Option<(f64, f64)>>,
    pub markers: Vec<Marker>,
}

impl Line {
    pub(super) fn new(name: impl Into<String>, ink: Ink, points: impl IntoIterator<Item = Option<(f64, f64)>>) -> Self {
        Self { name: name.into(), ink, points: points.into_iter().collect(), markers: Vec::new() }
    }
}

/// One diagram as inline SVG.
pub(super) struct Chart {
    pub label: String,
    pub x: Scale,
    pub y: Scale,
    pub x_title: &'static str,
    pub y_title: &'static str,
    pub height: f64,
    pub lines: Vec<Line>,
    /// Shaded ranges of the x axis, with their meaning.
    pub bands: Vec<(f64, f64, String)>,
    /// Named horizontal lines.
    pub limits: Vec<(f64, String)>,
}

impl Chart {
    pub(super) fn new(label: impl Into<String>, x: (Scale, &'static str), y: (Scale, &'static str)) -> Self {
        let (label, height) = (label.into(), 340.0);
        let (bands, limits, lines) = (Vec::new(), Vec::new(), Vec::new());
        Self { label, x: x.0, y: y.0, x_title: x.1, y_title: y.1, height, lines, bands, limits }
    }

    pub(super) fn to_svg(&self) -> String {
        let mut svg = format!(
            "<svg viewBox='0 0 {WIDTH} {}' role='img' aria-label='{}' xmlns='http://www.w3.org/2000/svg'>",
            self.height,
            escape(&self.label)
        );
        self.draw_bands(&mut svg);
        self.draw_axes(&mut svg);
        self.draw_limits(&mut svg);
        self.lines.iter().for_each(|line| self.draw_line(&mut svg, line));
        self.draw_names(&mut svg);
        svg.push_str("</svg>");
        svg
    }

    /// Right edge of the plot. The names at the ends of the lines need the rest.
    fn right(&self) -> f64 {
        let longest = self.lines.iter().map(|line| line.name.chars().count()).max().unwrap_or(0);
        WIDTH - 46.0 - 7.0 * longest.clamp(12, MAX_NAME_CHARS) as f64
    }

    fn px(&self, x: f64) -> f64 {
        LEFT + (self.right() - LEFT) * self.x.fraction(x).clamp(0.0, 1.0)
    }

    fn py(&self, y: f64) -> f64 {
        let bottom = self.height - BOTTOM;
        bottom - (bottom - TOP) * self.y.fraction(y).clamp(0.0, 1.0)
    }

    fn draw_bands(&self, svg: &mut String) {
        for (from, to, meaning) in &self.bands {
            let (left, right) = (self.px(*from), self.px(*to).max(self.px(*from) + 1.0));
            let (width, height) = (right - left, self.height - BOTTOM - TOP);
            let meaning = escape(meaning);
            put(
                svg,
                format_args!(
                    "<rect class='band' x='{left:.1}' y='{TOP}' width='{width:.1}' height='{height:.1}'>\
                     <title>{meaning}</title></rect>"
                ),
            );
        }
    }

    fn draw_axes(&self, svg: &mut String) {
        let (right, bottom) = (self.right(), self.height - BOTTOM);
        for Tick { at, label } in self.y.ticks() {
            let y = self.py(at);
            put(svg, format_args!("<path class='grid' d='M{LEFT} {y:.1}H{right}'/>"));
            put(svg, format_args!("<text x='{}' y='{:.1}' text-anchor='end'>{label}</text>", LEFT - 7.0, y + 4.0));
        }
        for Tick { at, label } in self.x.ticks() {
            let x = self.px(at);
            put(svg, format_args!("<path class='grid' d='M{x:.1} {TOP}V{bottom}'/>"));
            put(svg, format_args!("<text x='{x:.1}' y='{:.1}' text-anchor='middle'>{label}</text>", bottom + 16.0));
        }
        put(svg, format_args!("<path class='axis' d='M{LEFT} {TOP}V{bottom}H{right}'/>"));
        let middle = (LEFT + right) / 2.0;
        put(
            svg,
            format_args!(
                "<text class='title' x='{middle}' y='{:.1}' text-anchor='middle'>{}</text>",
                self.height - 8.0,
                self.x_title
            ),
        );
        let centre = (TOP + bottom) / 2.0;
        put(
            svg,
            format_args!(
                "<text class='title' transform='translate(13 {centre:.1}) rotate(-90)' text-anchor='middle'>{}</text>",
                self.y_title
            ),
        );
    }

    fn draw_limits(&self, svg: &mut String) {
        for (at, name) in &self.limits {
            let (y, right) = (self.py(*at), self.right());
            put(svg, format_args!("<path class='limit' d='M{LEFT} {y:.1}H{right}'/>"));
            put(svg, format_args!("<text class='limit' x='{}' y='{:.1}'>{}</text>", LEFT + 6.0, y - 4.0, escape(name)));
        }
    }

    fn draw_line(&self, svg: &mut String, line: &Line) {
        let (mut path, mut last, mut pen_down) = (String::new(), (f64::NAN, f64::NAN), false);
        for point in &line.points {
            let Some((x, y)) = point else {
                pen_down = false;
                continue;
            };
            let (x, y) = (self.px(*x), self.py(*y));
            // Skips points closer than half a pixel: they are invisible and make the page large.
            if !pen_down || (x - last.0).abs() + (y - last.1).abs() >= 0.5 {
                put(&mut path, format_args!("{}{x:.1} {y:.1}", if pen_down { 'L' } else { 'M' }));
                last = (x, y);
            }
            pen_down = true;
        }
        let Ink { colour, dash, width } = line.ink;
        let dash = if dash.is_empty() { String::new() } else { format!(" stroke-dasharray='{dash}'") };
        put(svg, format_args!("<path class='line' stroke='{colour}' stroke-width='{width}'{dash} d='{path}'/>"));
        for (point, marker) in line.points.iter().zip(&line.markers) {
            if let Some((x, y)) = point {
                draw_marker(svg, *marker, colour, self.px(*x), self.py(*y));
            }
        }
    }

    /// Draws the names at the ends of their lines, moved apart where they would overlap.
    fn draw_names(&self, svg: &mut String) {
        let end = |line: &Line| line.points.iter().flatten().next_back().map(|(x, y)| (self.px(*x), self.py(*y)));
        let mut names: Vec<_> = self.lines.iter().filter_map(|line| Some((line, end(line)?, end(line)?.1))).collect();
        names.sort_by(|left, right| left.2.total_cmp(&right.2));
        let mut lowest = TOP - NAME_HEIGHT + 6.0;
        for name in &mut names {
            name.2 = name.2.max(lowest + NAME_HEIGHT);
            lowest = name.2;
        }
        let mut highest = self.height - BOTTOM + NAME_HEIGHT;
        for name in names.iter_mut().rev() {
            name.2 = name.2.min(highest - NAME_HEIGHT);
            highest = name.2;
        }
        let at = self.right() + 8.0;
        for (line, (x, y), name_y) in names {
            let Ink { colour, dash, width } = line.ink;
            let dash = if dash.is_empty() { String::new() } else { format!(" stroke-dasharray='{dash}'") };
            put(svg, format_args!("<path class='lead' d='M{x:.1} {y:.1}L{at} {name_y:.1}'/>"));
            put(
                svg,
                format_args!(
                    "<path class='line' stroke='{colour}' stroke-width='{width}'{dash} d='M{at} {name_y:.1}h24'/>"
                ),
            );
            put(
                svg,
                format_args!(
                    "<text class='name' x='{}' y='{:.1}'>{}</text>",
                    at + 29.0,
                    name_y + 4.0,
                    escape(&shortened(&line.name))
                ),
            );
        }
    }
}

fn shortened(name: &str) -> String {
    match name.chars().count() > MAX_NAME_CHARS {
        true => name.chars().take(MAX_NAME_CHARS - 1).chain(['…']).collect(),
        false => name.to_string(),
    }
}

fn draw_marker(svg: &mut String, marker: Marker, colour: &str, x: f64, y: f64) {
    match marker {
        Marker::Filled => put(svg, format_args!("<circle cx='{x:.1}' cy='{y:.1}' r='4' fill='{colour}'/>")),
        Marker::Hollow => {
            put(
                svg,
                format_args!(
                    "<circle cx='{x:.1}' cy='{y:.1}' r='4' fill='#fff' stroke='{colour}' stroke-width='1.6'/>"
                ),
            );
        }
        Marker::Cross => put(
            svg,
            format_args!(
                "<path d='M{:.1} {:.1}l8 8m0 -8l-8 8' stroke='{colour}' stroke-width='1.6'/>",
                x - 4.0,
                y - 4.0
            ),
        ),
    }
}

fn put(svg: &mut String, text: std::fmt::Arguments) {
    svg.write_fmt(text).expect("writing to a string cannot fail");
}

/// Escapes text from files, which must not become markup.
pub(super) fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '\'' => safe.push_str("&#39;"),
            '"' => safe.push_str("&quot;"),
            c => safe.push(c),
        }
    }
    safe
}
