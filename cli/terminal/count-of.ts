/** A count with its noun: `1 user`, `2,500 users`, `1 history`, `2 histories`. */
export function countOf(count: number, noun: string, plural = `${noun}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? noun : plural}`;
}
