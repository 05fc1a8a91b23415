import MarkdownIt, { type Token } from 'markdown-it';

/**
 * Renders one of the project's documents as HTML. HTML in it is shown as text, images are not loaded, and a link to a page that
 * is not served becomes plain text.
 */
export function renderMarkdown(text: string, isServed: (path: string) => boolean): string {
  return markdown.render(text, { isServed });
}

/** Escapes text outside a document, such as the title of a page. */
export function escapeHtml(text: string): string {
  return markdown.utils.escapeHtml(text);
}

const markdown = new MarkdownIt({ html: false }).disable('image');
markdown.block.ruler.before('fence', 'comment', (state, line) => {
  const start = (state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0);
  if (!/^<!--.*-->$/.test(state.src.slice(start, state.eMarks[line]))) return false;
  state.line = line + 1;
  return true;
});
markdown.core.ruler.push('site', ({ tokens, env }) => {
  const { isServed } = env as { isServed(path: string): boolean };
  for (const [at, token] of tokens.entries()) {
    if (token.type === 'heading_open') addAnchor(token, tokens[at + 1]);
    // The Content-Security-Policy of the site allows no style in a page.
    if (token.type === 'th_open' || token.type === 'td_open') token.attrs = null;
    if (token.children) token.children = linksToPages(token.children, isServed);
  }
});
markdown.renderer.rules.heading_open = (tokens, at, options, _env, renderer) =>
  `${renderer.renderToken(tokens, at, options)}<a href="#${tokens[at]?.attrGet('id')}">`;
markdown.renderer.rules.heading_close = (tokens, at, options, _env, renderer) =>
  `</a>${renderer.renderToken(tokens, at, options)}`;

/** Uses the anchor that GitHub generates, so that links work in both places. */
function addAnchor(heading: Token, title: Token | undefined): void {
  const text = title?.content.toLowerCase() ?? '';
  heading.attrSet('id', text.replace(/[^\w\- ]/g, '').replaceAll(' ', '-'));
}

/** Points links to the site's pages, and drops links to pages that are not served. Links in Markdown are never nested. */
function linksToPages(tokens: readonly Token[], isServed: (path: string) => boolean): Token[] {
  let isDropped = false;
  return tokens.filter((token) => {
    if (token.type === 'link_open') {
      const target = pageOf(String(token.attrGet('href')));
      isDropped = target.startsWith('/') && !isServed(target.replace(/#.*/, ''));
      token.attrSet('href', target);
    }
    return !(isDropped && /^link_(?:open|close)$/.test(token.type));
  });
}

/** The site is flat: documents are served below `/docs` under their names alone, and other folders are not served. */
function pageOf(target: string): string {
  if (/^(?:https?:\/\/|\/|#)/.test(target)) return target;
  return `/docs/${target.replace(/^\.\.\//, '').replace(/\.md(?=#|$)/, '')}`;
}
