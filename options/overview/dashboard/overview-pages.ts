import type { OptionPages } from '#dashboard/options/option-pages.ts';

/** The overview in the dashboard, which begins with it, and the list of the blocks that end. */
export const overviewPages: OptionPages = {
  counts: async (...asking) => (await import('./read-counts.ts')).readCounts(...asking),
  home: { text: 'Overview', to: '/overview' },
  routes: [
    { path: '/overview', lazy: () => import('./overview-page.tsx') },
    { path: '/block-ends', section: 'overview', lazy: () => import('./block-ends-page.tsx') },
  ],
};
