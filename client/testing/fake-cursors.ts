/** The cursors of changes that were returned, and those that a test has expired. */
export interface FakeCursors {
  /** Remembers the cursors in an answer. */
  note(answer: Response): Promise<void>;
  /** Expires all cursors returned so far. */
  expire(): void;
  /** Whether a request reads changes after an expired cursor. */
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
        // The same position may be returned again.
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
