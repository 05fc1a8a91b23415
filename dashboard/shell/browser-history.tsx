import { createContext, type ReactNode, useContext, useEffect, useState, useSyncExternalStore } from 'react';
import { createPath, type Location, NavigationType, type Navigator, type Path, parsePath, Router } from 'react-router';

/** Where the dashboard is, and how it came there. */
interface Place {
  readonly location: Path & Pick<Location, 'state' | 'key'>;
  readonly navigationType: NavigationType;
}

/** Called with a function that leaves after all. */
type Ask = (leave: () => void) => void;

/**
 * The browser's history, which a page can hold up. React Router has that too, with its loaders of data: they would be 16 KB of a
 * first visit.
 */
export interface BrowserHistory {
  readonly navigator: Navigator;
  place(): Place;
  /** Returns the function that unsubscribes. */
  subscribe(listener: () => void): () => void;
  /** From now on, leaving this place asks first; returns the function that ends it. */
  hold(ask: Ask): () => void;
  /** Ends the listening to the browser. */
  close(): void;
}

/** What an entry of the browser's history keeps: what a navigation passed on, and the place in the order of entries. */
interface Entry {
  readonly usr?: unknown;
  readonly key?: string;
  readonly idx?: number;
}

const entry = (): Entry => history.state ?? {};

export function createBrowserHistory(): BrowserHistory {
  if (entry().idx === undefined) history.replaceState({ ...entry(), idx: 0 }, '');
  const listeners = new Set<() => void>();
  const holders = new Set<Ask>();
  let place = placeNow(NavigationType.Pop);
  let idx = entry().idx ?? 0;
  // Whether the next step is not asked about: it takes one back, or it was.
  let isPassing = false;
  const arrive = (navigationType: NavigationType) => {
    place = placeNow(navigationType);
    idx = entry().idx ?? idx;
    for (const listener of listeners) listener();
  };
  // A dialog above a page.
  const latestHolder = () => [...holders].at(-1);
  const whenFree = (go: () => void) => {
    const ask = latestHolder();
    if (ask === undefined) go();
    else ask(go);
  };
  const onPop = () => {
    const steps = (entry().idx ?? idx) - idx;
    const ask = latestHolder();
    if (isPassing || steps === 0 || ask === undefined) {
      isPassing = false;
      if (steps !== 0 || location.href !== new URL(createPath(place.location), location.href).href)
        arrive(NavigationType.Pop);
      return;
    }
    isPassing = true;
    history.go(-steps);
    ask(() => {
      isPassing = true;
      history.go(steps);
    });
  };
  addEventListener('popstate', onPop);
  return {
    navigator: {
      createHref: (to) => (typeof to === 'string' ? to : createPath(to)),
      go: (steps) => history.go(steps),
      push: (to, state) =>
        whenFree(() => {
          history.pushState({ usr: state, key: crypto.randomUUID(), idx: idx + 1 }, '', hrefOf(to));
          arrive(NavigationType.Push);
        }),
      replace: (to, state) =>
        whenFree(() => {
          history.replaceState({ usr: state, key: crypto.randomUUID(), idx }, '', hrefOf(to));
          arrive(NavigationType.Replace);
        }),
    },
    place: () => place,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    hold: (ask) => {
      holders.add(ask);
      return () => void holders.delete(ask);
    },
    close: () => removeEventListener('popstate', onPop),
  };
}

function hrefOf(to: Parameters<Navigator['push']>[0]): string {
  return createPath({ pathname: location.pathname, ...(typeof to === 'string' ? parsePath(to) : to) });
}

function placeNow(navigationType: NavigationType): Place {
  const { pathname, search, hash } = location;
  const { usr: state = null, key = 'default' } = entry();
  return { location: { pathname, search, hash, state, key }, navigationType };
}

const HistoryContext = createContext<BrowserHistory | undefined>(undefined);

/** Renders the routes of the place that the history is at. */
export function HistoryRouter({ of, children }: { readonly of: BrowserHistory; readonly children: ReactNode }) {
  const place = useSyncExternalStore(of.subscribe, of.place);
  return (
    <HistoryContext value={of}>
      <Router {...place} navigator={of.navigator}>
        {children}
      </Router>
    </HistoryContext>
  );
}

/** Leaving the page, which waits for an answer. */
export interface Leaving {
  readonly isAsked: boolean;
  readonly stay: () => void;
  readonly leave: () => void;
}

/** While `isHeld`, navigation inside the dashboard asks first. */
export function useLeaving(isHeld: boolean): Leaving {
  const history = useContext(HistoryContext);
  const [go, setGo] = useState<() => void>();
  useEffect(() => (isHeld ? history?.hold((leave) => setGo(() => leave)) : undefined), [history, isHeld]);
  return {
    isAsked: go !== undefined,
    stay: () => setGo(undefined),
    leave: () => {
      setGo(undefined);
      go?.();
    },
  };
}
