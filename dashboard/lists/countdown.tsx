import { useEffect, useRef } from 'react';
import { momentText } from './moment.tsx';
import { useNow } from './use-now.ts';

export interface CountdownProps {
  readonly until: string;
  /** Called once when it has run out while it was shown. */
  readonly onEnd?: () => void;
}

/** How long something still goes on. It is no live region: nobody wants every second read aloud. */
export function Countdown({ until, onEnd }: CountdownProps) {
  const end = Date.parse(until);
  const left = Math.ceil((end - useNow(end)) / 1000);
  const wasRunning = useRef(false);
  useEffect(() => {
    if (left > 0) wasRunning.current = true;
    else if (wasRunning.current) {
      wasRunning.current = false;
      onEnd?.();
    }
  }, [left, onEnd]);
  return (
    <time dateTime={until} title={momentText(until)}>
      {left > 0 ? remaining(left) : 'ended'}
    </time>
  );
}

/** The two largest units that are left, such as `2 d 4 h`. */
export function remaining(seconds: number): string {
  const days = Math.floor(seconds / 86_400);
  const hours = Math.floor(seconds / 3600) % 24;
  const minutes = Math.floor(seconds / 60) % 60;
  if (days > 0) return `${days} d ${hours} h`;
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`;
}
