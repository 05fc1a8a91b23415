/** More than any list of a test has. */
const mostPages = 100;

interface PageWithCursor {
  readonly cursor: string | null;
}

/** Reads all pages of a list in sequence; throws if they do not end. */
export async function pagesOf<Page extends PageWithCursor>(
  list: (cursor: string | undefined) => Promise<Page>,
): Promise<readonly Page[]> {
  const pages = [await list(undefined)];
  for (let next = pages[0]?.cursor; typeof next === 'string'; next = pages.at(-1)?.cursor) {
    if (pages.length === mostPages) throw new Error('The list does not end');
    pages.push(await list(next));
  }
  return pages;
}
