import { AsyncLocalStorage } from "node:async_hooks";
import { type Context, ROOT_CONTEXT } from "@opentelemetry/api";

interface SpanScope {
  readonly context: Context;
  isOpen: boolean;
}

/**
 * Knows which span whatever runs now belongs to. A timer that is set while a request is handled runs in its scope for ever,
 * so that a scope ends with its span: what comes later belongs to none.
 */
export function createScopes() {
  const storage = new AsyncLocalStorage<SpanScope>();
  return {
    current(): Context {
      const scope = storage.getStore();
      return scope?.isOpen === true ? scope.context : ROOT_CONTEXT;
    },
    open(context: Context) {
      const scope: SpanScope = { context, isOpen: true };
      return {
        run: <T>(work: () => T): T => storage.run(scope, work),
        close(): void {
          scope.isOpen = false;
        },
      };
    },
  };
}

export type Scopes = ReturnType<typeof createScopes>;
