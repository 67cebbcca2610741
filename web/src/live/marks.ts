import type { FleetEvent } from "./follow";

/** A path of the API that an event makes stale; with a slash at its end also the paths below. */
export type Mark = string;

/** The paths to read again after an event. */
export function marks(event: FleetEvent): Mark[] {
  const cluster = event.cluster === undefined ? [] : ["/clusters", `/clusters/${event.cluster}/`];
  switch (event.type) {
    case "CLUSTER":
      return [...cluster, "/clusters", `/clusters/${event.subject}`, `/clusters/${event.subject}/`];
    case "NODE":
      return cluster;
    case "PLAN":
      return [...cluster, "/plans", `/plans/${event.subject}`, "/events/recent"];
    case "POOL":
      return [...cluster, "/machines", "/datacenters"];
    case "LEADERSHIP":
      return ["/datacenters"];
    case "AUDIT":
      return ["/audit", "/machines"];
    default:
      // RESET and PEER: nothing is certain. A newer server may have further types
      return ["/"];
  }
}

export function concerns(mark: Mark, url: string): boolean {
  const path = url.split("?")[0] ?? url;
  return mark.endsWith("/") ? path.startsWith(mark) : path === mark;
}
