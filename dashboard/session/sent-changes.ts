/** What became of a change that was being saved when the session ended. */
export type Fate = 'sending' | 'saved' | 'refused' | 'unknown' | 'unsent';

export interface SentChange {
  /** What it does, without whom it is about: anybody can read the page of an ended session. */
  readonly words: string;
  readonly fate: Fate;
}

/** The changes that are being saved. */
export interface SentChanges {
  /** Notes a change that is sent; returns the function that notes its outcome. */
  begin(words: string): (fate: Exclude<Fate, 'sending'>) => void;
  /** From now on, changes that have ended are listed too: those in flight when the session ended. */
  hold(): void;
  /** Forgets what has ended. */
  clear(): void;
  list(): readonly SentChange[];
  /** Returns the function that unsubscribes. */
  subscribe(listener: () => void): () => void;
}

/** Keeps what the page of an ended session says was saved and was not. */
export function createSentChanges(): SentChanges {
  const listeners = new Set<() => void>();
  let listed: readonly SentChange[] = [];
  let isHeld = false;
  const set = (next: readonly SentChange[]) => {
    listed = next;
    for (const listener of listeners) listener();
  };
  return {
    begin: (words) => {
      let change: SentChange = { words, fate: 'sending' };
      set([...listed, change]);
      return (fate) => {
        const ended = { words, fate };
        const before = change;
        change = ended;
        set(listed.flatMap((one) => (one === before ? (isHeld ? [ended] : []) : [one])));
      };
    },
    hold: () => {
      isHeld = true;
    },
    clear: () => {
      isHeld = false;
      set(listed.filter(({ fate }) => fate === 'sending'));
    },
    list: () => listed,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
