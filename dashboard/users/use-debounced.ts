import { useEffect, useRef, useState } from 'react';
import { typingPauseMilliseconds } from './users-search.ts';

/** The value once it has been stable for a pause in typing. */
export function useDebounced<T>(value: T): T {
  const [debounced, setDebounced] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), typingPauseMilliseconds);
    return () => clearTimeout(timer);
  }, [value]);
  return debounced;
}

/** The text of a field whose value is kept elsewhere, and how to change either. */
interface KeptText {
  readonly text: string;
  readonly setText: (text: string) => void;
  /** Keeps a value, while the field may show another text. */
  readonly keep: (value: string, shown?: string) => void;
}

/** The text of a field whose value is chosen, not typed; it follows when the value changes elsewhere. */
export function useChosenText(kept: string, onKeep: (value: string) => void, onFollow = () => {}): KeptText {
  const [text, setText] = useState(kept);
  /** The value that was last seen, and after it those that were kept since but have not come back yet, oldest first. */
  const known = useRef([kept]);
  const follow = useRef(onFollow);
  follow.current = onFollow;
  // The latest one: an earlier one would undo what was changed beside the text while typing paused, such as another filter.
  const save = useRef(onKeep);
  save.current = onKeep;
  useEffect(() => {
    // On a busy machine, a value may come back when the next one is already being typed.
    const ours = known.current.lastIndexOf(kept);
    known.current = ours < 0 ? [kept] : known.current.slice(ours);
    if (ours >= 0) return;
    follow.current();
    setText(kept);
  }, [kept]);
  const keep = (value: string, shown = value) => {
    known.current.push(value);
    setText(shown);
    save.current(value);
  };
  return { text, setText, keep };
}

/**
 * The text of a field whose value is kept elsewhere, such as in the URL: it is kept once typing pauses, and follows when the
 * kept value changes. While another page is being opened, nothing is kept.
 */
export function useKeptText(
  kept: string,
  onKeep: (text: string) => void,
): [text: string, type: (text: string) => void] {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const { text, setText, keep } = useChosenText(kept, onKeep, () => clearTimeout(timer.current));
  useEffect(() => () => clearTimeout(timer.current), []);
  const type = (typed: string) => {
    setText(typed);
    clearTimeout(timer.current);
    const { pathname } = location;
    timer.current = setTimeout(() => {
      if (location.pathname === pathname) keep(typed.trim(), typed);
    }, typingPauseMilliseconds);
  };
  return [text, type];
}
