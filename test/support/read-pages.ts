import { expect } from '@jest/globals';
import type { Ask } from './each-entry-point.ts';

// biome-ignore lint/suspicious/noExplicitAny: each test checks the shape of the items that it reads
export type ListItem = any;

/** Reads the pages of a list from beginning to end, following the cursors. */
export async function readPages(ask: Ask, path: string, limit = 100): Promise<ListItem[][]> {
  const pages: ListItem[][] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    if (pages.length === 1000) throw new Error(`${path} has no end`);
    const { status, body } = await ask('GET', withQuery(path, { limit: String(limit), ...(cursor && { cursor }) }));
    expect([status, body]).toEqual([200, { items: expect.any(Array), cursor: body.cursor }]);
    pages.push(body.items);
    cursor = body.cursor;
  }
  return pages;
}

/** Adds parameters to the query of a path. */
export function withQuery(path: string, parameters: Readonly<Record<string, string>>): string {
  return `${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams(parameters)}`;
}
