import { defineConfig, type Plugin, type UserConfig } from 'vite';

/** A running service to develop against: `npm start`, unless another is named. */
const service = process.env.SERVICE_URL ?? 'http://127.0.0.1:3000';

const embedded = /url\(["']?data:font\/woff2;base64,([A-Za-z0-9+/=]+)["']?\)/g;

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

/**
 * Writes the fonts that Cloudscape embeds in its style sheet into files of their own: 350 KB that only a page loads which
 * needs them, one by one, and no `data:` in the Content-Security-Policy.
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
