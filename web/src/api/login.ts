import { answer, api } from "./client";
import type { components } from "./schema";
import { session } from "./session.svelte";

/** Reads who the caller is. An answer from before a login or a logout says nothing about now. */
export async function loadSession(): Promise<void> {
  const asked = session.key;
  const state = await answer(api.GET("/session"));
  if (session.key === asked) {
    session.loaded(state);
  }
}

/** Opens a session by the code of a link or by the token. */
export async function login(by: components["schemas"]["Login"]): Promise<void> {
  session.opened(await answer(api.POST("/session", { body: by })));
}

export async function logout(): Promise<void> {
  await answer(api.DELETE("/session"));
  session.closed();
  await loadSession();
}
