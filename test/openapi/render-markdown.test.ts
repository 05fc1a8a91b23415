import { expect, test } from '@jest/globals';
import { escapeHtml, renderMarkdown } from '#shared/openapi/render-markdown.ts';

const render = (text: string) => renderMarkdown(text, (path) => path === '/docs/errors').replaceAll('\n', '');

test.each([
  ['# A `b_c` d', '<h1 id="a-b_c-d"><a href="#a-b_c-d">A <code>b_c</code> d</a></h1>'],
  ['one\ntwo\n\nthree', '<p>onetwo</p><p>three</p>'],
  ['```sh\na <b> `c`\n# d\n```', '<pre><code class="language-sh">a &lt;b&gt; `c`# d</code></pre>'],
  ['text:\n- one\n  more\n- two', '<p>text:</p><ul><li>onemore</li><li>two</li></ul>'],
  ['1. one\n2. two', '<ol><li>one</li><li>two</li></ol>'],
  [
    '| a | b |\n| --- | --- |\n| `x \\| y` | **z** |',
    '<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td><code>x | y</code></td><td><strong>z</strong></td></tr></tbody></table>',
  ],
  ['an _emphasis_, no snake_case_name', '<p>an <em>emphasis</em>, no snake_case_name</p>'],
])('renders the Markdown %j', (text, html) => {
  expect(render(text)).toBe(html);
});

test('removes comments from the Markdown, but not from its code', () => {
  expect(render('<!-- schema: npm run build:docs -->\n\ntext')).toBe('<p>text</p>');
  expect(render('```\n<!-- a -->\n```')).toBe('<pre><code>&lt;!-- a --&gt;</code></pre>');
});

test('links from Markdown to served pages, anchors and the web', () => {
  expect(render('[`a`](errors.md#b)')).toBe('<p><a href="/docs/errors#b"><code>a</code></a></p>');
  expect(render('[a](#b)')).toBe('<p><a href="#b">a</a></p>');
  expect(render('[a](https://example.org/)')).toBe('<p><a href="https://example.org/">a</a></p>');
  expect(render('[a](../decisions/0001.md) [b](../errors.md)')).toBe('<p>a <a href="/docs/errors">b</a></p>');
  expect(render('[a](//example.org/) [b](mailto:c@example.org)')).toBe('<p>a b</p>');
});

test('escapes HTML in Markdown text, code and links', () => {
  const html = render('<script>1</script> `<b>` [<i>](javascript:alert(1)) [x]("onclick="y)\n\n<p onclick="y">');
  expect(html).not.toMatch(/<(?:script|b|i|p o\w+)|href="javascript|onclick="y/);
  expect(escapeHtml('<b> & "c"')).toBe('&lt;b&gt; &amp; &quot;c&quot;');
});

test('renders Markdown without styles and images, which the Content-Security-Policy of the site forbids', () => {
  const html = render('| a |\n| --: |\n| ![b](https://example.org/b.png) |');
  expect(html).not.toMatch(/style=|<img/);
});
