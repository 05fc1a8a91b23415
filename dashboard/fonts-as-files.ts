import type { Plugin } from 'vite';

const embedded = /url\(["']?data:font\/woff2;base64,([A-Za-z0-9+/=]+)["']?\)/g;

/**
 * Writes the fonts that Cloudscape embeds in its style sheet into files of their own: 350 KB that only a page loads which
 * needs them, one by one, and no `data:` in the Content-Security-Policy.
 */
export function fontsAsFiles(): Plugin {
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
