import { useLayoutEffect, useState } from "preact/hooks";
import { type Changes, parseRoute, type Route, routeHash } from "./route.ts";

export interface Navigation {
  readonly route: Route;
  go(hash: string): void;
  /** Changes some parameters of this view; `replace` adds no history entry. */
  change(changes: Changes, options?: { readonly replace?: boolean }): void;
}

export function useNavigation(): Navigation {
  const [route, setRoute] = useState(() => parseRoute(location.hash));
  // Before the page is drawn: an address that changes between the first render and an effect would be lost.
  useLayoutEffect(() => {
    const onChange = (): void => setRoute(parseRoute(location.hash));
    addEventListener("hashchange", onChange);
    return () => removeEventListener("hashchange", onChange);
  }, []);

  return {
    route,
    go(hash) {
      location.hash = hash;
    },
    change(changes, { replace = false } = {}) {
      const { view, params } = parseRoute(location.hash);
      for (const [name, value] of Object.entries(changes)) {
        if (value === undefined || value === "") params.delete(name);
        else params.set(name, value);
      }
      const hash = routeHash(view, params);
      if (hash === location.hash) return;
      if (replace) history.replaceState(null, "", hash);
      else history.pushState(null, "", hash);
      setRoute(parseRoute(hash));
    },
  };
}
