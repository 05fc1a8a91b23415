import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
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

/**
 * The files of the site by path: the reference at `/docs`, the API description that it shows, and the documents for
 * developers as pages, so that the type of a problem, `/docs/errors#<code>`, leads to its explanation. No page loads from
 * other sites or has inline scripts or styles, which allows a strict Content-Security-Policy.
 */
export function docsSite(): ReadonlyMap<string, DocsFile> {
  const site = new Map<string, DocsFile>([
    ['/docs', html(() => referencePage())],
    ['/docs/openapi.json', file('application/json', join(docs, 'openapi.json'))],
    ['/docs/reference.js', text('text/javascript', referenceScript)],
    ['/docs/swagger-ui-bundle.js', file('text/javascript', join(swagger, 'swagger-ui-bundle.js'))],
    ['/docs/swagger-ui.css', file('text/css', join(swagger, 'swagger-ui.css'))],
    ['/docs/page.css', text('text/css', pageStyle)],
  ]);
  const isServed = (path: string) => site.has(path);
  for (const document of documents()) site.set(document.path, documentPage(document, isServed));
  return site;
}

/** Writes the site into a folder, each page as `<path>.html`, and returns the folder. */
export function writeDocsSite(folder: string): string {
  for (const [path, { type, read }] of docsSite()) {
    const file = join(folder, type.startsWith('text/html') ? `${path}.html` : path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, read());
  }
  return folder;
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
    const file = join(docs, `${name}.md`);
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

function html(render: () => string): DocsFile {
  return { type: 'text/html; charset=utf-8', read: () => Buffer.from(render()) };
}

function documentPage({ title, file }: Document, isServed: (path: string) => boolean): DocsFile {
  return html(() => page(title, `<main>${renderMarkdown(readFileSync(file, 'utf8'), isServed)}</main>`));
}

/** The reference sends no requests, because a page without a key cannot sign them. */
function referencePage(): string {
  const head = '<link rel="stylesheet" href="/docs/swagger-ui.css">\n';
  const scripts = '<script src="/docs/swagger-ui-bundle.js"></script><script src="/docs/reference.js"></script>';
  return page('Reference', `<div id="reference"></div>${scripts}`, head);
}

const referenceScript = `SwaggerUIBundle({
  url: '/docs/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  supportedSubmitMethods: [],
  validatorUrl: null,
});
`;

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

/** Hides Swagger's button to authorize, since the reference sends nothing. */
const pageStyle = `body { margin: 0; font: 16px/1.55 system-ui, sans-serif; color: #1b1f24; background: #fff; }
a { color: #0b57c4; }
nav { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; padding: .75rem 1.25rem; border-bottom: 1px solid #d5dae0; }
main { max-width: 58rem; margin: 0 auto; padding: 1rem 1.25rem 6rem; }
main :is(h1, h2, h3) a { color: inherit; text-decoration: none; }
main h2 { margin-top: 2.5rem; }
main :target { scroll-margin-top: 1rem; background: #fff3bf; }
main code { font: .9em ui-monospace, monospace; }
main pre { padding: .75rem 1rem; overflow-x: auto; background: #f4f6f8; border-radius: 6px; }
main table { display: block; overflow-x: auto; border-collapse: collapse; }
main :is(th, td) { padding: .35rem .75rem; border: 1px solid #d5dae0; text-align: left; vertical-align: top; }
.swagger-ui .auth-wrapper { display: none; }
`;
