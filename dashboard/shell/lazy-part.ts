import { type ComponentType, createElement, lazy, useState, useSyncExternalStore } from 'react';

type Loaded<Props> = { readonly default: ComponentType<Props> };

/** The loaders of all lazy parts; each loads its part once. */
const parts: (() => Promise<unknown>)[] = [];

/**
 * A page or dialog whose script `preloadParts` loads before it is needed. If a script fails to load, the screen stays as it is
 * until the operator retries or the connection is back. A loaded part is shown at once: `lazy` alone would first show its
 * fallback, which React keeps for at least 300 ms.
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
    // Stays the same component while it is on the screen: another one would lose its state.
    const [component] = useState(() => loaded ?? Awaited);
    return createElement(component, props);
  };
}

/** Loads all parts in turn while the browser is idle; after a failure the rest are loaded when needed. */
export async function preloadParts(): Promise<void> {
  for (const load of parts) {
    await new Promise<unknown>((resolve) => whenIdle(resolve));
    await load();
  }
}

/** Safari has no idle callbacks. */
const whenIdle = globalThis.requestIdleCallback ?? ((run: () => void) => setTimeout(run, 200));

/** Parts that wait for a retry. */
let waiting: readonly (() => void)[] = [];
const listeners = new Set<() => void>();

function wait(resume: () => void): void {
  waiting = [...waiting, resume];
  for (const listener of listeners) listener();
}

/** Retries the parts that failed to load. */
export function retryParts(): void {
  const resumed = waiting;
  waiting = [];
  for (const listener of listeners) listener();
  for (const resume of resumed) resume();
}

/** Whether a part that is needed failed to load. */
export function useIsPartMissing(): boolean {
  return useSyncExternalStore(subscribe, () => waiting.length > 0);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
