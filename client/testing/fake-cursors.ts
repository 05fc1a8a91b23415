/** The cursors of changes that were given, and those of them that a test has let expire. */
export interface FakeCursors {
  /** Remembers the cursors in an answer. */
  note(answer: Response): Promise<void>;
  /** Lets all cursors be too old that were given until now. */
  expire(): void;
  /** Whether a request reads changes after one that is too old. */
  isExpired(request: Request): boolean;
}

export function createCursors(): FakeCursors {
  const given = new Set<string>();
  let expired = new Set<string>();
  return {
    async note(answer) {
      const { cursor, changesCursor } = Object(await answer.clone().json());
      for (const each of [cursor, changesCursor]) {
        given.add(each);
        // The same position may be given again.
        expired.delete(each);
      }
    },
    expire() {
      expired = new Set(given);
    },
    isExpired({ url }) {
      const { pathname, searchParams } = new URL(url);
      return pathname === '/api/service/changes' && expired.has(searchParams.get('after') ?? '');
    },
  };
}
