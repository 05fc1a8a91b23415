import { countedToDo, type OptionPages } from '#dashboard/options/option-pages.ts';
import { tokenWords } from './token-words.ts';

/** Connections in the dashboard: their pages, to which the page of API keys links, and the tokens that need attention. */
export const connectionPages: OptionPages = {
  routes: [{ path: '/connections/:connectionId?', lazy: () => import('./connections-page.tsx') }],
  keyLinks: [{ text: 'Connections', to: '/connections' }],
  toDos: ({ tokens }) =>
    [
      countedToDo('/connections?show=ends-soon', tokens.expiring, tokenWords.expiring),
      countedToDo('/connections?show=unused', tokens.unused, tokenWords.unused),
    ].filter(({ found }) => found.count > 0),
};
