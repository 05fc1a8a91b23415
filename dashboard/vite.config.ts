import { defineConfig, type UserConfig } from 'vite';
import { fontsAsFiles } from './fonts-as-files.ts';

/** A running service to develop against: `npm start`, unless another is named. */
const service = process.env.SERVICE_URL ?? 'http://127.0.0.1:3000';

/** The dashboard as static files; `#shared/*` is resolved by package.json, as everywhere. */
export default defineConfig(({ command }) => {
  // Taken from the shell otherwise, where a test run's would build React's development version with this machine's paths.
  if (command === 'build') process.env.NODE_ENV = 'production';
  return settings;
});

const settings: UserConfig = {
  root: import.meta.dirname,
  plugins: [fontsAsFiles()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    // The Content-Security-Policy allows no data: scripts or styles, and every browser of that target preloads by itself.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Cloudscape marks its modules "use client", which says nothing to a bundle that is all client.
    rolldownOptions: { onLog: (level, log, report) => log.code !== 'MODULE_LEVEL_DIRECTIVE' && report(level, log) },
  },
  server: {
    host: '127.0.0.1',
    port: 5173,
    // Not all of `/api`, where modules of the dashboard's own are.
    proxy: { '^/api/(?:manage|service)/': service, '/config.json': service },
  },
};
