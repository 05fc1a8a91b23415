type Child = Node | string;

/** Creates an element of the pages that need no framework. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  const created = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) created.setAttribute(attribute, value);
  created.append(...children);
  return created;
}

/** A page with one box, for everyone without a session. */
export function plainPage(title: string, ...children: readonly Child[]): HTMLElement {
  document.title = `${title} · Access administration`;
  return element(
    'main',
    { id: 'main', class: 'page first-page login' },
    element('div', { class: 'plain-box' }, ...children),
  );
}

/** A message in its own box. */
export function plainAlert(role: 'alert' | 'status', header: string, ...lines: readonly string[]): HTMLElement {
  const kind = role === 'alert' ? 'plain-alert warning' : 'plain-alert';
  return element(
    'div',
    { role, class: kind },
    element('strong', {}, header),
    ...lines.map((line) => element('p', {}, line)),
  );
}

export function plainButton(text: string, onClick: () => void): HTMLButtonElement {
  const button = element('button', { type: 'button', class: 'plain-button' }, text);
  button.onclick = onClick;
  return button;
}
