import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type Manifest } from 'vite';
import { atMost } from './budget.ts';
import type { BenchContext, Measurement } from './measurement.ts';

const root = join(import.meta.dirname, '../dashboard');

/** What an operator's first visit downloads. */
export async function measureDashboard({ directory, progress }: BenchContext): Promise<Measurement> {
  progress('Building the dashboard');
  const bytes = await usersPageBytes(directory);
  return {
    title: 'Dashboard',
    budgets: [atMost('first load of the users page, gzip', bytes / 1000, 350, 'KB')],
    samples: { usersPageBytes: bytes },
    report: ['The script that the first visit of the users page loads: its entry, its page, and all that they import.'],
  };
}

/** Compressed script, in bytes, that the first visit of the users page loads: its entry, its page, and all that they import. */
async function usersPageBytes(outDir: string): Promise<number> {
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
