import { mkdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import type { Plugin } from 'vite';

/**
 * Writes the scripts and styles a second time, compressed as far as Brotli can: CloudFront, which compresses for speed, sends a
 * tenth more. They are in `brotli/`, below the names of the files.
 */
export function compressFiles(): Plugin {
  return {
    name: 'compress-files',
    apply: 'build',
    enforce: 'post',
    async writeBundle({ dir = '' }, bundle) {
      mkdirSync(join(dir, 'brotli/assets'), { recursive: true });
      const names = Object.keys(bundle).filter((name) => /\.(?:js|css)$/.test(name));
      await Promise.all(
        names.map(async (name) => {
          const text = await readFile(join(dir, name));
          const params = { [constants.BROTLI_PARAM_SIZE_HINT]: text.length };
          await writeFile(
            join(dir, 'brotli/assets', basename(name)),
            await promisify(brotliCompress)(text, { params }),
          );
        }),
      );
    },
  };
}
