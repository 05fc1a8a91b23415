import { join } from 'node:path';
import { defineConfig, type UserConfig } from 'vite';
import { compressFiles } from './build/compress-files.ts';
import { inlineRoutes } from './build/inline-routes.ts';
import { keepIcons } from './build/keep-icons.ts';
import { shortenNames } from './build/shorten-names.ts';
import { finishStyleSheet } from './build/style-sheet.ts';
import { addThirdPartyNotice } from './build/third-party.ts';
import { replaceUnusedParts } from './build/unused-parts.ts';

/** The running service to develop against: by default `npm start`. */
const service = process.env.SERVICE_URL ?? 'http://127.0.0.1:3000';

/** The dashboard as static files; `#shared/*` is resolved by package.json, as everywhere. */
export default defineConfig(({ command }) => {
  // Vite would take NODE_ENV from the shell. A test run's value would build React's development version, with local paths.
  if (command === 'build') process.env.NODE_ENV = 'production';
  return settings;
});

/**
 * Few scripts, because each takes a round trip: the login; libraries, which most releases leave alone; the start with the list of
 * users; what several other parts share; and one for each part.
 */
const scripts = [
  { name: 'open', test: /\/dashboard\/open-dashboard\.ts$/, priority: 4 },
  {
    name: 'libraries',
    test: /\/node_modules\/(?:react|react-dom|react-router|scheduler|@tanstack|valibot)\//,
    priority: 3,
  },
  { name: 'start', test: /\/dashboard\/render-dashboard\.tsx$/, priority: 2 },
  { name: 'shared', test: /\.[cm]?[jt]sx?$/, minShareCount: 2, priority: 1 },
];

const settings: UserConfig = {
  root: import.meta.dirname,
  plugins: [
    inlineRoutes(),
    keepIcons(),
    replaceUnusedParts(),
    shortenNames(),
    finishStyleSheet(),
    addThirdPartyNotice(),
    compressFiles(),
  ],
  resolve: { alias: { 'intl-messageformat': join(import.meta.dirname, 'build/plain-messages.ts') } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    // The Content-Security-Policy allows no data: scripts or styles.
    assetsInlineLimit: 0,
    // `style-sheet.ts` splits it. Vite would load a part's style sheet only once: after a failure, the part would appear without it.
    cssCodeSplit: false,
    // Every browser of that target preloads natively.
    modulePreload: { polyfill: false },
    // `test/e2e/first-paint.e2e.ts` limits what is loaded.
    chunkSizeWarningLimit: 1000,
    // Cloudscape marks its modules "use client", which has no meaning in a client-only bundle.
    rolldownOptions: {
      onLog: (level, log, report) => log.code !== 'MODULE_LEVEL_DIRECTIVE' && report(level, log),
      output: { codeSplitting: { groups: scripts } },
    },
  },
  server: {
    host: '127.0.0.1',
    port: 5173,
    // Not all of `/api`, which is also a folder of the dashboard's modules.
    proxy: { '^/api/(?:manage|service)/': service, '/config.json': service },
  },
};
