import { useEffect, useRef, useState } from 'react';
import { localTimeText } from './local-time-text.ts';

export interface CountdownProps {
  readonly until: string;
  /** Called once when the time expires while it is shown. */
  readonly onEnd?: () => void;
}

/** The remaining time, such as `2 d 4 h left`. Not a live region, or screen readers would announce every second. */
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
    <time dateTime={until} title={localTimeText(until)}>
      {left > 0 ? `${remaining(left)} left` : 'expired'}
    </time>
  );
}

/** The two largest units of a duration, such as `2 d 4 h`. */
function remaining(seconds: number): string {
  const days = Math.floor(seconds / 86_400);
  const hours = Math.floor(seconds / 3600) % 24;
  const minutes = Math.floor(seconds / 60) % 60;
  if (days > 0) return `${days} d ${hours} h`;
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`;
}

/** The current time in milliseconds, updated every second until `end`. */
function useNow(end: number): number {
  const [now, setNow] = useState(Date.now);
  const isOver = now >= end;
  useEffect(() => {
    if (isOver) return;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [isOver]);
  return now;
}
