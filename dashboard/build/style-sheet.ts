import type { Plugin, Rolldown } from 'vite';

type OutputBundle = Rolldown.OutputBundle;
type OutputChunk = Rolldown.OutputChunk;

/** The weights of the font that every page shows. */
const everywhere: ReadonlySet<string | undefined> = new Set(['400', '700']);

/**
 * Finishes the style sheet: without what no page uses, in two files, and with the fonts that Cloudscape embeds in it (350 KB) as
 * files, so that a page loads only the fonts it needs and the Content-Security-Policy allows no `data:`. The first file has what
 * the scripts of the first page name, the second one the rest. The page names the files, which `load-styles.ts` adds.
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
      const code = Object.values(bundle).map((file) => (file.type === 'chunk' ? file.code : ''));
      const css = trimStyles(textOf(sheet.source), code.join('')).replace(fontFace, (face) => {
        const [embedded = '', base64 = ''] = face.match(/data:font\/woff2;base64,([\w+/=]+)/) ?? [];
        const file = emit('font.woff2', Buffer.from(base64, 'base64'));
        if (everywhere.has(face.match(/font-weight:(\d+)/)?.[1])) fonts.push(file);
        return face.replace(embedded, file);
      });
      delete bundle[sheet.fileName];
      const scripts = scriptsOfStart(bundle, textOf(page.source));
      const { start, parts } = splitStyles(css, textOf(page.source) + scripts.map(({ code }) => code).join(''));
      const styles = { start: emit('start.css', start), parts: emit('parts.css', parts) };
      page.source = placeLinks(textOf(page.source), {
        scripts: scripts.map(({ fileName }) => `/${fileName}`),
        styles,
        fonts,
      });
    },
  };
}

/** The scripts of the first page after the login: that of `render-dashboard.tsx` and what it imports, without that of the login. */
function scriptsOfStart(bundle: OutputBundle, page: string): OutputChunk[] {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
  const start = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith('/render-dashboard.tsx')));
  if (start === undefined) throw new Error('The build has no start');
  const names = new Set([start.fileName]);
  // A set yields what is added while it is read.
  for (const name of names) {
    const imported = chunks.find(({ fileName }) => fileName === name)?.imports ?? [];
    for (const each of imported) if (!page.includes(`src="/${each}"`)) names.add(each);
  }
  return chunks.filter(({ fileName }) => names.has(fileName));
}

function textOf(source: string | Uint8Array): string {
  return typeof source === 'string' ? source : new TextDecoder().decode(source);
}

interface Links {
  readonly scripts: readonly string[];
  readonly styles: Readonly<Record<'start' | 'parts', string>>;
  readonly fonts: readonly string[];
}

/** Names the files of the dashboard in the page, which loads them at once only if somebody is logged in. */
function placeLinks(page: string, { scripts, styles, fonts }: Links): string {
  const links = [
    ...Object.entries(styles).map(([name, file]) => `<meta name="${name}-styles" content="${file}">`),
    ...scripts.map((file) => `<link data-rel="modulepreload" crossorigin href="${file}">`),
    `<link data-rel="preload" href="${styles.start}" as="style">`,
    ...fonts.map((file) => `<link data-rel="preload" href="${file}" as="font" type="font/woff2" crossorigin>`),
  ];
  return page.replace(/\s*<link rel="stylesheet"[^>]*>/, '').replace('</head>', `  ${links.join('\n    ')}\n  </head>`);
}

const fontFace = /@font-face\s*\{[^}]*\}/g;

/** Removes what no page of the dashboard uses; `code` is that of the scripts. */
export function trimStyles(css: string, code = ''): string {
  return withoutUnusedTokens(withoutFallbacks(withoutUnusedTables(withoutItalics(css))), code);
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

/** Removes the declarations of design tokens that neither a rule nor a script uses, until only used ones are left. */
function withoutUnusedTokens(css: string, code: string): string {
  const used = new Set([...(css + code).matchAll(/var\((--[\w-]+)/g)].map(([, name]) => name));
  const kept = css.replace(/(?<=[{;])(--(?!awsui)[\w-]+):[^;{}]*(?:;|(?=\}))/g, (declaration, name: string) =>
    used.has(name) ? declaration : '',
  );
  return kept === css ? css : withoutUnusedTokens(kept, code);
}

/** A rule, or a group of rules such as `@media`, by its braces. */
interface Block {
  readonly head: string;
  readonly body: string;
}

/**
 * Splits a style sheet: the first part has the rules whose classes the text of the first page's scripts names, and all rules
 * without a class; the second part the others. Each declares the design tokens that its rules use.
 */
export function splitStyles(css: string, named: string): Readonly<Record<'start' | 'parts', string>> {
  const words = new Set(named.match(/[\w-]+/g));
  const isNamed = (selector: string) => {
    const classes = selector.replace(/:not\([^()]*\)/g, '').match(/(?<=\.)[a-zA-Z_-][\w-]*/g) ?? [];
    return classes.every((name) => words.has(name));
  };
  const pick = (text: string, isStart: boolean): string =>
    blocksOf(text)
      .map(({ head, body }) => {
        if (/^@(?:media|supports|container|layer)/.test(head)) {
          const inner = pick(body, isStart);
          return inner === '' ? '' : `${head}{${inner}}`;
        }
        const hasTokens = /(?:^|;)--(?!awsui)/.test(body);
        const isOfStart = head.startsWith('@') || head.split(/,(?![^(]*\))/).some(isNamed);
        return hasTokens || isOfStart === isStart ? `${head}{${body}}` : '';
      })
      .join('');
  return { start: withoutUnusedTokens(pick(css, true), named), parts: withoutUnusedTokens(pick(css, false), '') };
}

function blocksOf(css: string): Block[] {
  const blocks: Block[] = [];
  let [from, open, depth] = [0, 0, 0];
  for (const { 0: brace, index } of css.matchAll(/[{}]/g)) {
    if (brace === '{' && depth++ === 0) open = index;
    if (brace === '}' && --depth === 0) {
      blocks.push({ head: css.slice(from, open), body: css.slice(open + 1, index) });
      from = index + 1;
    }
  }
  return blocks;
}
