import { useEffect } from 'react';

const key = 'search-shortcut';

/** Whether `/` focuses the search. A single-key shortcut needs a setting to turn it off (WCAG 2.2, 2.1.4). */
export function isShortcutOn(): boolean {
  return localStorage.getItem(key) !== 'off';
}

export function switchShortcut(on: boolean): void {
  localStorage.setItem(key, on ? 'on' : 'off');
}

/** Focuses the search in the bar when `/` is pressed outside fields and dialogs. */
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

/** Elements that receive the key themselves, and dialogs, which cover the search. */
const taken = 'input, textarea, select, [contenteditable], [role="dialog"]';

/** On a narrow screen a button opens the field and focuses it. */
function focusSearch(): void {
  const field = document.querySelector<HTMLInputElement>('#bar header input');
  if (field !== null) field.focus();
  else document.querySelector<HTMLElement>(`#bar header [aria-label="${searchLabel}"]`)?.click();
}

/** The label of the field and of its button. */
export const searchLabel = 'Find a user, application or role';
