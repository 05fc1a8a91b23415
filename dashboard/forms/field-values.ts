import type { Draft } from '../session/drafts.ts';

type FieldElement = HTMLInputElement | HTMLTextAreaElement;

/** The texts and choices of the fields inside an element, by their labels. */
export function readFields(within: HTMLElement): Draft {
  return Object.fromEntries(
    fieldsOf(within).map((field) => [nameOf(field), isChoice(field) ? checkOf(field) : field.value]),
  );
}

/**
 * Enters texts and choices as the operator did, so that the form notices them: choices first, because they may show more
 * fields, whose texts follow.
 */
export function writeFields(within: HTMLElement, draft: Draft): void {
  for (const field of fieldsOf(within)) {
    if (isChoice(field) && draft[nameOf(field)] === 'yes' && !field.checked) field.click();
    if (isCheckbox(field) && draft[nameOf(field)] === 'no' && field.checked) field.click();
  }
  setTimeout(() => {
    for (const field of fieldsOf(within)) {
      const text = draft[nameOf(field)];
      if (!isChoice(field) && text !== undefined && text !== field.value) enter(field, text);
    }
  });
}

function fieldsOf(within: HTMLElement): FieldElement[] {
  return [...within.querySelectorAll<FieldElement>('input:not([type=file]), textarea')];
}

/** The label; of a radio button its value. */
function nameOf(field: FieldElement): string {
  if (field.type === 'radio') return `choice ${field.value}`;
  const ids = field.getAttribute('aria-labelledby')?.split(' ') ?? [];
  const labels = ids.map((id) => document.getElementById(id)?.textContent ?? '');
  return labels.join(' ') || (field.labels?.[0]?.textContent ?? field.getAttribute('aria-label') ?? '');
}

function isChoice(field: FieldElement): field is HTMLInputElement {
  return isCheckbox(field) || field.type === 'radio';
}

function isCheckbox(field: FieldElement): field is HTMLInputElement {
  return field.type === 'checkbox';
}

function checkOf({ checked }: HTMLInputElement): 'yes' | 'no' {
  return checked ? 'yes' : 'no';
}

/** React sets the value through a property of the element, so its own setter would hide the change from it. */
function enter(field: FieldElement, text: string): void {
  const prototype = field instanceof HTMLTextAreaElement ? HTMLTextAreaElement.prototype : HTMLInputElement.prototype;
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field, text);
  field.dispatchEvent(new Event('input', { bubbles: true }));
}
