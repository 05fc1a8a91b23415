import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { noTrialScript, pageStyle, referenceScript, signerScript, trialScript } from './reference-page.ts';
import { escapeHtml, renderMarkdown } from './render-markdown.ts';
import { info } from './texts.ts';

const project = join(import.meta.dirname, '../..');
const docs = join(project, 'docs');
const swagger = join(project, 'node_modules/swagger-ui-dist');

/** A file of the site about the APIs. */
export interface DocsFile {
  readonly type: string;
  read(): Buffer;
}

export interface DocsSiteOptions {
  /** The key that the reference signs with, read for each request. Default: none, and the reference sends no requests. */
  readonly exampleKey?: () => ExampleKey | undefined;
}

/** An API key that is not secret, such as that of the local run's example. */
export interface ExampleKey {
  readonly keyId: string;
  readonly secret: string;
}

/**
 * The files of the site by path: the reference at `/docs`, the API description that it shows, and the documents for
 * developers as pages, so that the type of a problem, `/docs/errors#<code>`, leads to its explanation. No page loads from
 * other sites or has inline scripts or styles, which allows a strict Content-Security-Policy.
 */
export function docsSite({ exampleKey }: DocsSiteOptions = {}): ReadonlyMap<string, DocsFile> {
  const site = new Map<string, DocsFile>([
    ['/docs', html(() => referencePage())],
    ['/docs/openapi.json', file('application/json', join(docs, 'openapi.json'))],
    ['/docs/reference.js', text('text/javascript', referenceScript)],
    ['/docs/trial.js', text('text/javascript', exampleKey ? trialScript : noTrialScript)],
    ['/docs/swagger-ui-bundle.js', file('text/javascript', join(swagger, 'swagger-ui-bundle.js'))],
    ['/docs/swagger-ui.css', file('text/css', join(swagger, 'swagger-ui.css'))],
    ['/docs/page.css', text('text/css', pageStyle)],
  ]);
  if (exampleKey !== undefined) {
    site.set('/docs/sign-request.js', text('text/javascript', signerScript()));
    site.set(
      '/docs/example-key.json',
      json(() => pickKey(exampleKey())),
    );
  }
  const isServed = (path: string) => site.has(path);
  for (const document of documents()) site.set(document.path, documentPage(document, isServed));
  return site;
}

/** Writes the site into a folder, each page as `<path>.html`. */
export function writeDocsSite(folder: string): void {
  for (const [path, { type, read }] of docsSite()) {
    const file = join(folder, type.startsWith('text/html') ? `${path}.html` : path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, read());
  }
}

/** The documents for developers of applications; the others are for operators of the service. */
const shown = ['quickstart', 'sdk', 'api', 'signing', 'errors', 'events'];

/** A document with the title from its first line. */
interface Document {
  readonly path: string;
  readonly title: string;
  readonly file: string;
}

function documents(): Document[] {
  return shown.map((name) => {
    const file = join(docs, `integrate/${name}.md`);
    const [, title = name] = /^# (.*)$/m.exec(readFileSync(file, 'utf8')) ?? [];
    return { path: `/docs/${name}`, title, file };
  });
}

function file(type: string, path: string): DocsFile {
  return { type: `${type}; charset=utf-8`, read: () => readFileSync(path) };
}

function text(type: string, content: string): DocsFile {
  return { type: `${type}; charset=utf-8`, read: () => Buffer.from(content) };
}

function json(read: () => object): DocsFile {
  return { type: 'application/json', read: () => Buffer.from(JSON.stringify(read())) };
}

/** Only the API key: the example's file also has the local AWS credentials. */
function pickKey(example: ExampleKey | undefined): object {
  return example === undefined ? {} : { keyId: example.keyId, secret: example.secret };
}

function html(render: () => string): DocsFile {
  return { type: 'text/html; charset=utf-8', read: () => Buffer.from(render()) };
}

function documentPage({ title, file }: Document, isServed: (path: string) => boolean): DocsFile {
  return html(() =>
    page(title, `<main class="document">${renderMarkdown(readFileSync(file, 'utf8'), isServed)}</main>`),
  );
}

function referencePage(): string {
  const head = '<link rel="stylesheet" href="/docs/swagger-ui.css">\n';
  const scripts =
    '<script src="/docs/swagger-ui-bundle.js"></script><script src="/docs/reference.js" type="module"></script>';
  return page('Reference', `<div id="reference"></div>${scripts}`, head);
}

function page(title: string, body: string, head = ''): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · ${info.title}</title>
<link rel="icon" href="data:,">
${head}<link rel="stylesheet" href="/docs/page.css">
</head>
<body>
<nav>${navigation()}</nav>
${body}
</body>
</html>
`;
}

function navigation(): string {
  const pages = [
    { path: '/docs', title: 'Reference' },
    ...documents(),
    { path: '/docs/openapi.json', title: 'openapi.json' },
  ];
  return pages.map(({ path, title }) => `<a href="${path}">${escapeHtml(title)}</a>`).join(' ');
}
