import type { Plugin } from 'vite';

/** The weights of the font that every page shows. */
const everywhere: ReadonlySet<string | undefined> = new Set(['400', '700']);

/**
 * Finishes the style sheet: without what no page uses, and with the fonts that Cloudscape embeds in it (350 KB) as files, so
 * that a page loads only the fonts it needs and the Content-Security-Policy allows no `data:`. The page loads the sheet at its
 * end: a browser shows what is above it at once, and runs the scripts after it.
 */
export function finishStyleSheet(): Plugin {
  return {
    name: 'finish-style-sheet',
    apply: 'build',
    enforce: 'post',
    generateBundle(_, bundle) {
      const sheet = Object.values(bundle).find(({ fileName }) => fileName.endsWith('.css'));
      const page = bundle['index.html'];
      if (sheet?.type !== 'asset' || page?.type !== 'asset') throw new Error('The build has no page or no style sheet');
      // An asset of its own, whose hash is that of the finished sheet.
      const emit = (name: string, source: string | Uint8Array) =>
        `/${this.getFileName(this.emitFile({ type: 'asset', name, source }))}`;
      const fonts: string[] = [];
      const css = trimStyles(textOf(sheet.source)).replace(fontFace, (face) => {
        const [embedded = '', base64 = ''] = face.match(/data:font\/woff2;base64,([\w+/=]+)/) ?? [];
        const file = emit('font.woff2', Buffer.from(base64, 'base64'));
        if (everywhere.has(face.match(/font-weight:(\d+)/)?.[1])) fonts.push(file);
        return face.replace(embedded, file);
      });
      delete bundle[sheet.fileName];
      page.source = placeLinks(textOf(page.source), emit('style.css', css), fonts);
    },
  };
}

function textOf(source: string | Uint8Array): string {
  return typeof source === 'string' ? source : new TextDecoder().decode(source);
}

/** Moves the link of the style sheet to the end of the page, and preloads the fonts, which only the sheet would name. */
function placeLinks(page: string, sheet: string, fonts: readonly string[]): string {
  const preloads = fonts.map((file) => `<link rel="preload" href="${file}" as="font" type="font/woff2" crossorigin>`);
  return page
    .replace(/\s*<link rel="stylesheet"[^>]*>/, '')
    .replace('</head>', `  ${preloads.join('\n    ')}\n  </head>`)
    .replace('</body>', `  <link rel="stylesheet" crossorigin href="${sheet}">\n  </body>`);
}

const fontFace = /@font-face\s*\{[^}]*\}/g;

/** Removes what no page of the dashboard uses. */
export function trimStyles(css: string): string {
  return withoutUnusedTokens(withoutFallbacks(withoutUnusedTables(withoutItalics(css))));
}

/** Removes the italic fonts: only placeholders are italic, and the browser slants the upright font for them. */
function withoutItalics(css: string): string {
  return css.replace(fontFace, (face) => (/font-style:\s*italic/.test(face) ? '' : face));
}

/**
 * What no table of the dashboard has: rows below the second level, where changes stand below their bulk change (80 KB); cells to
 * edit; and stripes.
 */
const unusedInTables = /\.expandable-level-(?![12](?!\d))|\.body-cell-editable|\.has-striped-rows/;

/** Removes the rules for what no table has. */
function withoutUnusedTables(css: string): string {
  const isUnused = (selector: string) => unusedInTables.test(selector.replace(/:not\([^()]*\)/g, ''));
  return css.replace(/([^{}]+)\{[^{}]*\}/g, (rule, selectors: string) =>
    selectors.split(/,(?![^(]*\))/).every(isUnused) ? '' : rule,
  );
}

/** Removes the fallback values of design tokens that are declared. */
function withoutFallbacks(css: string): string {
  const declared = new Set([...css.matchAll(/[{;](--[\w-]+):/g)].map(([, name]) => name));
  return css.replace(/var\((--(?!awsui)[\w-]+),(?:[^()]|\([^()]*\))*\)/g, (value, name: string) =>
    declared.has(name) ? `var(${name})` : value,
  );
}

/** Removes the declarations of design tokens that no rule uses, until only used ones are left. */
function withoutUnusedTokens(css: string): string {
  const used = new Set([...css.matchAll(/var\((--[\w-]+)/g)].map(([, name]) => name));
  const kept = css.replace(/(?<=[{;])(--(?!awsui)[\w-]+):[^;{}]*(?:;|(?=\}))/g, (declaration, name: string) =>
    used.has(name) ? declaration : '',
  );
  return kept === css ? css : withoutUnusedTokens(kept);
}
