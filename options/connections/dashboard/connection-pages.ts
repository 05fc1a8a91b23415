import type { OptionPages } from '#dashboard/options/option-pages.ts';
import { tokenWords } from './token-words.ts';

/** Connections in the dashboard: their pages, to which the page of API keys links, and the tokens that need attention. */
export const connectionPages: OptionPages = {
  routes: [{ path: '/connections/:connectionId?', lazy: () => import('./connections-page.tsx') }],
  keyLinks: [{ text: 'Connections', to: '/connections' }],
  toDos: ({ tokens }) =>
    [
      { found: tokens.expiring, to: '/connections?show=ends-soon', words: tokenWords.expiring },
      { found: tokens.unused, to: '/connections?show=unused', words: tokenWords.unused },
    ]
      .filter(({ found }) => found.count > 0)
      .map(({ found, to, words }) => ({ id: to, to, found, label: words(found.count) })),
};
