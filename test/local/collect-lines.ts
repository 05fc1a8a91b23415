/** Collects log lines, and resolves when one matches. */
export function collectLines() {
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  return {
    lines,
    log: (line: string): void => {
      lines.push(line);
      for (const look of waiting) look();
    },
    until: (pattern: RegExp): Promise<string> =>
      new Promise((resolve) => {
        const look = () => {
          const found = lines.find((line) => pattern.test(line));
          if (found === undefined) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
      }),
  };
}
