import { useEffect, useRef, useState } from 'react';

const milliseconds = 250;

/** The value once it has been stable for 250 ms. */
export function useDebounced<T>(value: T): T {
  const [debounced, setDebounced] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), milliseconds);
    return () => clearTimeout(timer);
  }, [value]);
  return debounced;
}

/**
 * The text of a field whose value is kept elsewhere, such as in the URL: it is kept once typing pauses, and follows when the
 * kept value changes. While another page is being opened, nothing is kept.
 */
export function useKeptText(kept: string, keep: (text: string) => void): [text: string, type: (text: string) => void] {
  const [text, setText] = useState(kept);
  const known = useRef(kept);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    if (known.current === kept) return;
    known.current = kept;
    clearTimeout(timer.current);
    setText(kept);
  }, [kept]);
  const type = (typed: string) => {
    setText(typed);
    clearTimeout(timer.current);
    const { pathname } = location;
    timer.current = setTimeout(() => {
      if (location.pathname !== pathname) return;
      known.current = typed.trim();
      keep(typed.trim());
    }, milliseconds);
  };
  return [text, type];
}
