/** The screens of the page and their addresses. */
export type Route =
  | { screen: "fleet" }
  | { screen: "machines" }
  | { screen: "plans" }
  | { screen: "login" }
  | { screen: "cluster"; cluster: string }
  | { screen: "ring"; cluster: string }
  | { screen: "plan"; plan: string }
  | { screen: "unknown"; path: string };

export function parse(path: string): Route {
  const parts = path.split("/").filter((p) => p !== "");
  const names = parts.map(decoded);
  const [first, name, third] = names;
  if (names.includes(undefined)) {
    return { screen: "unknown", path };
  }
  if (parts.length === 0) {
    return { screen: "fleet" };
  }
  if (parts.length === 1 && (first === "machines" || first === "plans" || first === "login")) {
    return { screen: first };
  }
  if (parts.length === 2 && name !== undefined && first === "clusters") {
    return { screen: "cluster", cluster: name };
  }
  if (parts.length === 2 && name !== undefined && first === "plans") {
    return { screen: "plan", plan: name };
  }
  if (parts.length === 3 && name !== undefined && first === "clusters" && third === "ring") {
    return { screen: "ring", cluster: name };
  }
  return { screen: "unknown", path };
}

export function href(route: Route): string {
  switch (route.screen) {
    case "fleet":
      return "/";
    case "cluster":
      return `/clusters/${encodeURIComponent(route.cluster)}`;
    case "ring":
      return `/clusters/${encodeURIComponent(route.cluster)}/ring`;
    case "plan":
      return `/plans/${encodeURIComponent(route.plan)}`;
    case "unknown":
      return route.path;
    default:
      return `/${route.screen}`;
  }
}

export function title(route: Route): string {
  switch (route.screen) {
    case "cluster":
      return route.cluster;
    case "ring":
      return `Ring of ${route.cluster}`;
    case "plan":
      return `Plan ${route.plan}`;
    case "unknown":
      return "Not found";
    default:
      return route.screen.charAt(0).toUpperCase() + route.screen.slice(1);
  }
}

/** A path of this page from an untrusted text, such as `to` of the login; `/` for anything else. */
export function ownPath(text: string | null): string {
  return text !== null && /^\/(?![/\\]|login\b)[^\\\p{Cc}]*$/u.test(text) ? text : "/";
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
