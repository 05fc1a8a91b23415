import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type Manifest } from 'vite';

const root = join(import.meta.dirname, '../dashboard');

/** Compressed script, in bytes, that the first visit of the users page loads: its entry, its page, and all that they import. */
export async function measureUsersPage(outDir: string): Promise<number> {
  await build({
    configFile: join(root, 'vite.config.ts'),
    logLevel: 'error',
    build: { outDir, emptyOutDir: true, manifest: true },
  });
  const manifest: Manifest = JSON.parse(readFileSync(join(outDir, '.vite/manifest.json'), 'utf8'));
  const chunks = new Set(['index.html', 'pages/users-page.tsx']);
  // A set that grows while it is walked is walked to its end.
  for (const name of chunks) for (const imported of manifest[name]?.imports ?? []) chunks.add(imported);
  const sizes = [...chunks].map(
    (name) => gzipSync(readFileSync(join(outDir, manifest[name]?.file ?? name))).byteLength,
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
