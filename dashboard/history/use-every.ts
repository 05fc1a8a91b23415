import { useEffect } from 'react';

/** Calls again and again while the page can be seen. */
export function useEvery(milliseconds: number, isOn: boolean, call: () => void): void {
  useEffect(() => {
    if (!isOn) return;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') call();
    }, milliseconds);
    return () => clearInterval(timer);
  }, [milliseconds, isOn, call]);
}
