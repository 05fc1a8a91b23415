import type { OptionPages } from '#dashboard/options/option-pages.ts';
import { BulkButton } from './bulk-button.tsx';
import { bulkPath, undoBulkPath } from './bulk-paths.ts';

/** Bulk changes and imports in the dashboard: their pages, the buttons that lead there, and the pages of bulks in a history. */
export const bulkPages: OptionPages = {
  routes: [
    { path: '/bulk', section: 'users', operation: 'set-access-in-bulk', lazy: () => import('./bulk-page.tsx') },
    { path: '/bulk/:bulkId', section: 'users', lazy: () => import('./bulk-record-page.tsx') },
    {
      path: '/bulk/:bulkId/undo',
      section: 'users',
      operation: 'set-access-in-bulk',
      lazy: () => import('./undo-bulk-page.tsx'),
    },
    { path: '/import', section: 'users', operation: 'import-users', lazy: () => import('./import-page.tsx') },
  ],
  changeUsers: BulkButton,
  userLinks: [{ text: 'Import…', to: '/import', operation: 'import-users' }],
  bulks: {
    path: bulkPath,
    undo: (bulk) => ({
      to: undoBulkPath(bulk),
      operation: bulk.appId === undefined ? 'undo-status-bulk' : 'undo-bulk',
    }),
  },
};
