import { type ComponentType, createElement, lazy, useState, useSyncExternalStore } from 'react';

type Loaded<Props> = { readonly default: ComponentType<Props> };

/** All parts that are loaded later, each by a function that loads it once. */
const parts: (() => Promise<unknown>)[] = [];

/**
 * A page or dialog whose script is loaded before it is needed, by `preloadParts`. A script that cannot be loaded fails nothing:
 * what is on the screen stays, until the operator tries again or the connection is back. One that is loaded is shown at once:
 * `lazy` alone would show what stands in for it first, and React leaves that for at least 300 ms.
 */
export function lazyPart<Props extends object>(load: () => Promise<Loaded<Props>>): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined;
  let loading: Promise<Loaded<Props>> | undefined;
  const loadOnce = async () => {
    loading ??= load();
    try {
      const part = await loading;
      loaded = part.default;
      return part;
    } catch (error) {
      loading = undefined;
      throw error;
    }
  };
  parts.push(loadOnce);
  const Awaited = lazy(async () => {
    for (;;) {
      const part = await loadOnce().catch(() => undefined);
      if (part !== undefined) return part;
      await new Promise<void>((resolve) => wait(resolve));
    }
  }) as unknown as ComponentType<Props>;
  return function Part(props) {
    // The same for as long as it is on the screen, as another component would begin with a state of its own.
    const [component] = useState(() => loaded ?? Awaited);
    return createElement(component, props);
  };
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
