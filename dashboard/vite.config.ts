import { join } from 'node:path';
import { defineConfig, type Plugin, type UserConfig } from 'vite';

/** The running service to develop against: by default `npm start`. */
const service = process.env.SERVICE_URL ?? 'http://127.0.0.1:3000';

const embedded = /url\(["']?data:font\/woff2;base64,([A-Za-z0-9+/=]+)["']?\)/g;

/** The dashboard as static files; `#shared/*` is resolved by package.json, as everywhere. */
export default defineConfig(({ command }) => {
  // Vite would take NODE_ENV from the shell. A test run's value would build React's development version, with local paths.
  if (command === 'build') process.env.NODE_ENV = 'production';
  return settings;
});

/**
 * Few scripts, because each takes a round trip: libraries, which most releases leave alone; the start with the list of users;
 * what several other parts share; and one for each part.
 */
const scripts = [
  {
    name: 'libraries',
    test: /\/node_modules\/(?:react|react-dom|react-router|scheduler|@tanstack|oidc-client-ts|valibot)\//,
    priority: 3,
  },
  { name: 'start', test: /\/dashboard\/render-dashboard\.tsx$/, priority: 2 },
  { name: 'shared', test: /\.[cm]?[jt]sx?$/, minShareCount: 2, priority: 1 },
];

const settings: UserConfig = {
  root: import.meta.dirname,
  plugins: [fontsAsFiles()],
  resolve: { alias: { 'intl-messageformat': join(import.meta.dirname, 'build/plain-messages.ts') } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    // The Content-Security-Policy allows no data: scripts or styles.
    assetsInlineLimit: 0,
    // Vite loads a part's style sheet only once: a part that failed offline would later appear without it.
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

/**
 * Writes the fonts that Cloudscape embeds in its style sheet (350 KB) to separate files, so that a page loads only the
 * fonts it needs and the Content-Security-Policy allows no `data:`.
 */
function fontsAsFiles(): Plugin {
  return {
    name: 'fonts-as-files',
    apply: 'build',
    enforce: 'post',
    generateBundle(_, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type !== 'asset' || !file.fileName.endsWith('.css')) continue;
        const css = typeof file.source === 'string' ? file.source : new TextDecoder().decode(file.source);
        file.source = css.replace(embedded, (_match, base64: string) => {
          const source = Buffer.from(base64, 'base64');
          const id = this.emitFile({ type: 'asset', name: 'font.woff2', source });
          return `url(/${this.getFileName(id)})`;
        });
      }
    },
  };
}
