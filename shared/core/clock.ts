/** The present; the only place that asks for it. */
export function now(): Date {
  return new Date();
}

/** Resolves after so many milliseconds. */
export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
