import { join } from 'node:path';
import { buildSync } from 'esbuild';

/** Shows the reference. Its default server is the one that served the page. */
export const referenceScript = `import { adapt, trial } from '/docs/trial.js';

const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();

const description = JSON.parse(await (await fetch('/docs/openapi.json')).text(), adapt);
const here = { url: location.origin, description: 'Where this page comes from' };
SwaggerUIBundle({
  spec: { ...description, servers: [here, ...description.servers] },
  dom_id: '#reference',
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
  supportedSubmitMethods: [],
  // Its colours are too close to their background.
  syntaxHighlight: { activated: false },
  ...trial,
});

// Attributes that Swagger UI lacks and that screen readers and keyboards need. A link inside a button does only what the button
// does.
const attributes = [
  ['#servers', 'aria-label', 'Server'],
  ['.examples-select-element', 'aria-label', 'Example'],
  ['.content-type', 'aria-label', 'Media type'],
  ['.body-param__text', 'aria-label', 'Request body'],
  ['.information-container', 'role', 'region'],
  ['.information-container', 'aria-label', 'About'],
  ['.scheme-container', 'role', 'region'],
  ['.scheme-container', 'aria-label', 'Servers'],
  ['pre.microlight', 'tabindex', '0'],
  ['h3.opblock-tag', 'aria-level', '2'],
  ['.opblock-body h4', 'aria-level', '3'],
  ['.opblock-body h5', 'aria-level', '4'],
  ['section.models h4', 'aria-level', '2'],
];
const complete = () => {
  for (const [selector, name, value] of attributes) {
    for (const element of document.querySelectorAll(selector)) element.setAttribute(name, value);
  }
  for (const link of document.querySelectorAll('.opblock-summary-control a[href]')) link.removeAttribute('href');
};
new MutationObserver(complete).observe(document.getElementById('reference'), { childList: true, subtree: true });
`;

/** Without a key to sign with, the reference sends no requests. */
export const noTrialScript = 'export const trial = {};\nexport const adapt = (_, value) => value;\n';

/**
 * Sends requests to the Service API, signed in the browser with the example's key. Such keys do not sign for the Management
 * API.
 */
export const trialScript = `import { signRequest } from '/docs/sign-request.js';

const isSigned = (path) => path.startsWith('/api/service/');

async function sign(request) {
  const url = new URL(request.url, location.href);
  if (!isSigned(url.pathname)) return request;
  const key = await (await fetch('/docs/example-key.json', { cache: 'no-store' })).json();
  const { method, body, headers } = request;
  const signed = await signRequest(new Request(url, { method, body: body || null, headers }), key);
  return { ...request, headers: Object.fromEntries(signed.headers) };
}

/** Drops the example of If-Match, which Swagger UI would send although it does not match the current version. */
export function adapt(_, value) {
  if (value?.in !== 'header' || value.name !== 'If-Match') return value;
  const { example, examples, ...parameter } = value;
  return parameter;
}

export const trial = {
  supportedSubmitMethods: ['get', 'put', 'post', 'delete'],
  requestInterceptor: sign,
  plugins: [
    { statePlugins: { spec: { wrapSelectors: { allowTryItOutFor: () => (state, path) => isSigned(path) } } } },
  ],
};
`;

/** The signer of the SDK as a module for browsers. */
export function signerScript(): string {
  const entryPoints = [join(import.meta.dirname, '../../client/sign-request.ts')];
  const { outputFiles } = buildSync({ entryPoints, bundle: true, format: 'esm', target: 'es2023', write: false });
  return outputFiles.map(({ text }) => text).join('');
}

/** Adds to Swagger UI's own styles, which include a dark mode, and hides its Authorize button. */
export const pageStyle = `:root {
  color-scheme: light dark;
  --text: #1b1f24; --page: #fff; --link: #0b57c4; --line: #d5dae0; --code: #f4f6f8; --target: #fff3bf;
}
@media (prefers-color-scheme: dark) {
  :root { --text: #e4e6e6; --page: #1c2022; --link: #8ab8ff; --line: #454d54; --code: #272c30; --target: #4d4315; }
}
body { margin: 0; font: 16px/1.55 system-ui, sans-serif; color: var(--text); background: var(--page); }
a { color: var(--link); }
nav { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; padding: .75rem 1.25rem; border-bottom: 1px solid var(--line); }
main.document { max-width: 58rem; margin: 0 auto; padding: 1rem 1.25rem 6rem; overflow-wrap: break-word; }
main :is(h1, h2, h3) a { color: inherit; text-decoration: none; }
main.document h2 { margin-top: 2.5rem; }
main :target { scroll-margin-top: 1rem; background: var(--target); }
main.document code { font: .9em ui-monospace, monospace; }
main.document pre { padding: .75rem 1rem; overflow-x: auto; background: var(--code); border-radius: 6px; }
main.document table { display: block; overflow-x: auto; border-collapse: collapse; }
main.document :is(th, td) { padding: .35rem .75rem; border: 1px solid var(--line); text-align: left; vertical-align: top; }
.swagger-ui .auth-wrapper { display: none; }
#reference { overflow-x: auto; }
.swagger-ui .info .title :is(small, small[class]) { background: #4a5058; }
.swagger-ui :is(.parameter__in, .parameter__deprecated) { color: inherit; }
html:not(.dark-mode) .swagger-ui a { color: var(--link); }
.swagger-ui .opblock[class][class] .opblock-summary-method { background: #35506b; color: #fff; }
.swagger-ui .btn.execute[class] { background: #0b57c4; border-color: #0b57c4; color: #fff; }
.swagger-ui .btn.cancel[class] { background: var(--page); border-color: currentColor; color: var(--text); }
html.dark-mode .swagger-ui .opblock[class] .opblock-section-header { background: var(--code); }
html.dark-mode .swagger-ui :is(h4, .header-col, .opblock-title) { color: var(--text); }
`;
