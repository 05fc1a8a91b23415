import { join } from 'node:path';
import type { Plugin } from 'vite';
import { thirdPartyNotice } from '#shared/files/third-party-notice.ts';

const project = join(import.meta.dirname, '../..');

/** Adds the licences of the bundled packages as a file, which the page links to. */
export function addThirdPartyNotice(): Plugin {
  return {
    name: 'third-party-notice',
    apply: 'build',
    enforce: 'post',
    generateBundle(_, bundle) {
      const page = bundle['index.html'];
      if (page?.type !== 'asset') throw new Error('The build has no page');
      const source = thirdPartyNotice(project, [...this.getModuleIds()]);
      const file = this.getFileName(this.emitFile({ type: 'asset', name: 'third-party.txt', source }));
      const text = typeof page.source === 'string' ? page.source : new TextDecoder().decode(page.source);
      page.source = text.replace('</head>', `  <link rel="license" href="/${file}">\n  </head>`);
    },
  };
}
