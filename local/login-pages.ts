import { hash } from 'node:crypto';
import { operators } from './operator-tokens.ts';

const style = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { margin: 0; padding: 2rem 1rem; }
main { max-width: 26rem; margin: 0 auto; }
img { display: block; max-width: 100%; max-height: 6rem; margin: 0 auto; }
.notice { border-inline-start: 0.25rem solid; padding-inline-start: 0.75rem; }
button, input { font: inherit; padding: 0.5rem 0.75rem; width: 100%; box-sizing: border-box; margin-block-end: 0.75rem; }
label { display: block; }
button + p { margin: -0.5rem 0 0.75rem; }
:focus-visible { outline: 0.2rem solid; outline-offset: 0.1rem; }`;

/** How a page looks beside what all have. */
export interface PageLook {
  /** Of buttons, as `#rrggbb`; their text is white. */
  readonly color?: string | undefined;
  /** The image above the title, as a data URL. */
  readonly logo?: string | undefined;
}

function styleOf({ color }: PageLook): string {
  return color === undefined ? style : `${style}\nbutton { background: ${color}; color: #fff; border: 0; }`;
}

const submitLogout = "document.getElementById('op.logoutForm').submit();";

/** Headers of a page that allow only its own style and script. */
export const pageHeaders = pageHeadersFor('http://127.0.0.1:* http://localhost:*');

/** Headers of a page whose form ends with a redirect to one of these sources, because `form-action` also covers redirects. */
export function pageHeadersFor(redirects: string, look: PageLook = {}) {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': [
      "default-src 'none'",
      `style-src ${sourceOf(styleOf(look))}`,
      ...(look.logo === undefined ? [] : ['img-src data:']),
      `script-src ${sourceOf(submitLogout)}`,
      `form-action 'self' ${redirects}`,
      "frame-ancestors 'none'",
      "base-uri 'none'",
    ].join('; '),
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  } as const;
}

/** Asks for the operator's name, without a password; posts `operator` to its own address. */
export function loginPage(error?: string): string {
  const buttons = operators.map(
    ({ id, name, group }) =>
      `<button name="operator" value="${id}" aria-describedby="${id}">${name}</button><p id="${id}">${group}</p>`,
  );
  return page(
    'Development login',
    `<p class="notice">This login is for development. It works only on this machine and needs no password.</p>
<form method="post">
<h2>Log in as an operator</h2>
${buttons.join('\n')}
</form>
<form method="post">
<h2>Or use another name, as a viewer</h2>
${error === undefined ? '' : `<p role="alert" id="error">${error}</p>`}
<label for="operator">Name of the operator</label>
<input id="operator" name="operator" required maxlength="64" autocomplete="username" autocapitalize="none"
 ${error === undefined ? '' : 'aria-invalid="true" aria-describedby="error"'}>
<button>Log in</button>
</form>`,
  );
}

/**
 * Logs out immediately, as Cognito does, or with a button if scripts are disabled. `form` is the provider's complete
 * form.
 */
export function logoutPage(form: string): string {
  return page(
    'Logging out',
    `${form}
<input type="hidden" name="logout" value="yes" form="op.logoutForm">
<button form="op.logoutForm">Log out</button>
<script>${submitLogout}</script>`,
  );
}

/** Renders a page with one message. */
export function messagePage(title: string, message: string): string {
  return page(title, `<p>${escapeHtml(message)}</p>`);
}

/** Renders a page around its content, which is HTML. */
export function page(title: string, content: string, look: PageLook = {}): string {
  const logo = look.logo === undefined ? '' : `<img src="${escapeHtml(look.logo)}" alt="">\n`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${styleOf(look)}</style>
</head>
<body>
<main>
${logo}<h1>${escapeHtml(title)}</h1>
${content}
</main>
</body>
</html>
`;
}

function sourceOf(text: string): string {
  return `'sha256-${hash('sha256', text, 'base64')}'`;
}

/** Escapes a text for HTML, also within quotes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
