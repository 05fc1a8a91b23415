import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { type ComponentType, lazy, useEffect, useState, useSyncExternalStore } from 'react';
import { loadStyles } from './load-styles.ts';
import { useNotices } from './notices.tsx';

type Loaded<Props> = { readonly default: ComponentType<Props> };

/** The loaders of all lazy parts; each loads its part once. */
const parts: (() => Promise<unknown>)[] = [];

/**
 * A page or dialog whose script `PreloadParts` loads before it is needed. If a script fails to load, the screen stays as it is
 * until the operator retries or the connection is back. A loaded part is shown at once: `lazy` alone would first show its
 * fallback, which React keeps for at least 300 ms.
 */
export function lazyPart<Props extends object>(load: () => Promise<Loaded<Props>>): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined;
  let loading: Promise<Loaded<Props>> | undefined;
  const loadOnce = async () => {
    loading ??= load();
    try {
      const [part] = await Promise.all([loading, loadStyles('parts')]);
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
  }) as ComponentType<Props>;
  return function Part(props) {
    // Stays the same component while it is on the screen: another one would lose its state.
    const [Component] = useState(() => loaded ?? Awaited);
    return <Component {...props} />;
  };
}

/** Preloads the other pages and the dialogs once the first page has its data. */
export function PreloadParts() {
  const client = useQueryClient();
  useEffect(() => {
    // A missing part is loaded again when it is needed.
    const preload = () => void preloadParts().catch(() => undefined);
    void untilLoaded(client).then(preload);
    addEventListener('online', preload);
    return () => removeEventListener('online', preload);
  }, [client]);
  return null;
}

/** Resolves when no query is waiting for its data: on a slow connection the parts would delay it. */
function untilLoaded(client: QueryClient): Promise<void> {
  return new Promise((resolve) => {
    const check = () => {
      if (client.isFetching() > 0) return;
      unsubscribe();
      resolve();
    };
    const unsubscribe = client.getQueryCache().subscribe(check);
    check();
  });
}

/** Loads all parts in turn while the browser is idle; after a failure the rest are loaded when needed. */
async function preloadParts(): Promise<void> {
  for (const load of parts) {
    await new Promise<unknown>((resolve) => whenIdle(resolve));
    await load();
  }
}

/** Safari has no idle callbacks. */
const whenIdle = globalThis.requestIdleCallback ?? ((run: () => void) => setTimeout(run, 200));

/** Shows a notice if a page or dialog that is needed failed to load. */
export function MissingPart() {
  const { show, hide } = useNotices();
  const isMissing = useSyncExternalStore(subscribe, () => waiting.length > 0);
  useEffect(() => {
    addEventListener('online', retryParts);
    return () => removeEventListener('online', retryParts);
  }, []);
  useEffect(() => {
    if (isMissing) show({ id, type: 'error', content, action });
    else hide(id);
  }, [isMissing, show, hide]);
  return null;
}

const id = 'missing-part';
const content =
  "This part of the dashboard couldn't be loaded. Check your connection and try again. If the dashboard was just updated, reload the page.";
const action = (
  <SpaceBetween direction="horizontal" size="xs">
    <Button onClick={retryParts}>Try again</Button>
    <Button onClick={() => location.reload()}>Reload</Button>
  </SpaceBetween>
);

/** Parts that wait for a retry. */
let waiting: readonly (() => void)[] = [];
const listeners = new Set<() => void>();

function wait(resume: () => void): void {
  waiting = [...waiting, resume];
  for (const listener of listeners) listener();
}

/** Retries the parts that failed to load. */
function retryParts(): void {
  const resumed = waiting;
  waiting = [];
  for (const listener of listeners) listener();
  for (const resume of resumed) resume();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
