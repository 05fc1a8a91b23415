import { type ComponentType, type LazyExoticComponent, lazy, useSyncExternalStore } from 'react';

type Loaded<Props> = { readonly default: ComponentType<Props> };

/** All parts that are loaded later, each by a function that loads it once. */
const parts: (() => Promise<unknown>)[] = [];

/**
 * A page or dialog whose script is loaded before it is needed, by `preloadParts`. A script that cannot be loaded fails nothing:
 * what is on the screen stays, until the operator tries again or the connection is back.
 */
export function lazyPart<Props>(load: () => Promise<Loaded<Props>>): LazyExoticComponent<ComponentType<Props>> {
  let loading: Promise<Loaded<Props>> | undefined;
  const loadOnce = () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
  parts.push(loadOnce);
  return lazy(async () => {
    for (;;) {
      const part = await loadOnce().catch(() => undefined);
      if (part !== undefined) return part;
      await new Promise<void>((resolve) => wait(resolve));
    }
  });
}

/** Loads all parts one after the other while the browser is idle; a failure leaves the rest for when they are needed. */
export async function preloadParts(): Promise<void> {
  for (const load of parts) {
    await new Promise<unknown>((resolve) => whenIdle(resolve));
    await load();
  }
}

/** Safari has no idle callbacks. */
const whenIdle = globalThis.requestIdleCallback ?? ((run: () => void) => setTimeout(run, 200));

/** What waits for another attempt. */
let waiting: readonly (() => void)[] = [];
const listeners = new Set<() => void>();

function wait(resume: () => void): void {
  waiting = [...waiting, resume];
  for (const listener of listeners) listener();
}

/** Loads again what could not be loaded. */
export function retryParts(): void {
  const resumed = waiting;
  waiting = [];
  for (const listener of listeners) listener();
  for (const resume of resumed) resume();
}

/** Whether something that is needed could not be loaded. */
export function useIsPartMissing(): boolean {
  return useSyncExternalStore(subscribe, () => waiting.length > 0);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
