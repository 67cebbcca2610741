/**
 * ECharts' SVG without its classes and marks for the pointer and for scripts, with ids that do not depend on the charts
 * drawn before, and with coordinates to a tenth of a pixel.
 */
export function tidy(svg: string): string {
  const ids = new Map<string, string>();
  return svg
    .replace(/<style[^>]*>[^]*?<\/style>\n?/g, "")
    .replace(/ (?:class|pointer-events|ecmeta_[a-z_]+)="[^"]*"/g, "")
    .replace(/zr\d+-([a-z]+)\d+/g, (id, kind: string) => {
      const stable = ids.get(id) ?? `${kind}${String(ids.size)}`;
      ids.set(id, stable);
      return stable;
    })
    .replace(/ d="([^"]*)"/g, (_, path: string) => ` d="${path.replace(/-?\d*\.\d+/g, tenth)}"`)
    .trimEnd()
    .concat("\n");
}

function tenth(number: string): string {
  return String(Math.round(Number(number) * 10) / 10);
}
