/** What was typed into the fields of a form, by their labels. */
export type Draft = Readonly<Record<string, string>>;

const prefix = 'draft of ';

/**
 * Keeps what an operator typed into a form when the session ended, in this tab's session storage, until the form is opened
 * again, the operator logs out or the tab is closed.
 */
export function saveDraft(operator: string, form: string, draft: Draft): void {
  sessionStorage.setItem(prefix + form, JSON.stringify({ operator, draft }));
}

/** Removes and returns what this operator typed into a form; undefined if there is nothing, or only another operator's text. */
export function takeDraft(operator: string, form: string): Draft | undefined {
  const stored = sessionStorage.getItem(prefix + form);
  if (stored === null) return undefined;
  sessionStorage.removeItem(prefix + form);
  const kept = JSON.parse(stored) as { readonly operator: string; readonly draft: Draft };
  return kept.operator === operator ? kept.draft : undefined;
}

export function dropDrafts(): void {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(prefix)) sessionStorage.removeItem(key);
}
