/** Figures with units, worded as the command line's `Formats` words them. Times are milliseconds. */

const BINARY = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"] as const;

/** `0 B`, `512 MiB`, `1.5 GiB`. */
export function bytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (Math.abs(value) >= 1024 && unit < BINARY.length - 1) {
    value /= 1024;
    unit++;
  }
  const whole = Number.isInteger(value) || value >= 100;
  return `${whole ? Math.round(value) : tenths(value)} ${BINARY[unit] ?? ""}`;
}

/** `0.2 s`, `18.7 s`, `2m05s`, `3h07m`, `4d02h`. */
export function duration(ms: number): string {
  const t = Math.max(0, ms);
  const s = Math.floor(t / 1000);
  if (s < 60) {
    return `${tenths(Math.floor(t) / 1000)} s`;
  }
  if (s < 3600) {
    return `${Math.floor(s / 60)}m${two(s % 60)}s`;
  }
  const hours = Math.floor(s / 3600);
  return hours < 24 ? `${hours}h${two(Math.floor(s / 60) % 60)}m` : `${Math.floor(hours / 24)}d${two(hours % 24)}h`;
}

/** Seconds without the unit, in the shortest form: `.1`, `3.4`, `12.0`. */
export function seconds(ms: number): string {
  return tenths(Math.max(0, ms) / 1000).replace(/^0\./, ".");
}

/** A running clock: `00:14`, `1:02:03`. */
export function clock(ms: number): string {
  const s = Math.floor(Math.max(0, ms) / 1000);
  const rest = `${two(Math.floor(s / 60) % 60)}:${two(s % 60)}`;
  return s < 3600 ? rest : `${Math.floor(s / 3600)}:${rest}`;
}

/** `2` cores or `0.5`. */
export function cores(millis: number): string {
  return millis % 1000 === 0 ? String(millis / 1000) : tenths(millis / 1000);
}

/** `33.3 %`. */
export function percent(fraction: number): string {
  return `${tenths(fraction * 100)} %`;
}

/** `1 node`, `3 nodes`, `2 processes`. */
export function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? "" : noun.endsWith("s") ? "es" : "s"}`;
}

/** A relative time: `18 s ago`, `2m05s ago`; `in 4 s` for one to come. */
export function relative(at: string | number, now: number): string {
  const ms = now - instant(at);
  const text = Math.abs(ms) < 60_000 ? `${Math.round(Math.abs(ms) / 1000)} s` : duration(Math.abs(ms));
  return ms < -500 ? `in ${text}` : ms < 1000 ? "now" : `${text} ago`;
}

/** The time of day where the reader is: `14:02:11`. */
export function timeOfDay(at: string | number): string {
  const date = new Date(instant(at));
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

/** An ISO 8601 time in milliseconds since 1970. */
export function instant(at: string | number): number {
  return typeof at === "number" ? at : Date.parse(at);
}

/** One decimal, halves up by the decimal digits, as Java's `%.1f` rounds. */
function tenths(value: number): string {
  return (Math.sign(value) * (Math.round(Number((Math.abs(value) * 10).toPrecision(15))) / 10)).toFixed(1);
}

function two(n: number): string {
  return String(n).padStart(2, "0");
}
