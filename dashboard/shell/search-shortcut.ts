import { useEffect } from 'react';

const key = 'search-shortcut';

/** Whether `/` leads to the search. A key without a modifier must be switchable off (WCAG 2.2, 2.1.4), as dictation may say it. */
export function isShortcutOn(): boolean {
  return localStorage.getItem(key) !== 'off';
}

export function switchShortcut(on: boolean): void {
  localStorage.setItem(key, on ? 'on' : 'off');
}

/** Leads to the search in the bar when `/` is pressed outside of fields and dialogs. */
export function useSearchShortcut(isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return;
    const press = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (event.target instanceof Element && event.target.closest(taken) !== null) return;
      event.preventDefault();
      focusSearch();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [isOn]);
}

/** Where a key means what is typed, or nothing behind a dialog. */
const taken = 'input, textarea, select, [contenteditable], [role="dialog"]';

/** On a narrow screen the field is behind a button, which moves the focus to it. */
function focusSearch(): void {
  const field = document.querySelector<HTMLInputElement>('#bar header input');
  if (field !== null) field.focus();
  else document.querySelector<HTMLElement>(`#bar header [aria-label="${searchLabel}"]`)?.click();
}

/** What the field and the button are called. */
export const searchLabel = 'Find a user or application';
