/** Orders of a list by name, each ascending. */
export type Orders<T> = Record<string, (a: T, b: T) => number>;

/** The list in the order that the address names, descending after a minus; as it is for any other name. */
export function sorted<T>(list: readonly T[], sort: string, orders: Orders<T>): T[] {
  const down = sort.startsWith("-");
  const name = down ? sort.slice(1) : sort;
  const order = Object.hasOwn(orders, name) ? orders[name] : undefined;
  if (order === undefined) {
    return [...list];
  }
  return [...list].sort((a, b) => (down ? order(b, a) : order(a, b)));
}

export function byText(a: string, b: string): number {
  return a.localeCompare(b, "en", { numeric: true });
}
