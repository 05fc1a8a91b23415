import { useEffect, useRef } from 'react';

const key = 'search-shortcut';

/** Whether `/` focuses the search. A single-key shortcut needs a setting to turn it off (WCAG 2.2, 2.1.4). */
export function isShortcutOn(): boolean {
  return localStorage.getItem(key) !== 'off';
}

export function switchShortcut(on: boolean): void {
  localStorage.setItem(key, on ? 'on' : 'off');
}

/** Focuses the search in the bar when `/` is pressed outside fields and dialogs, and on Ctrl-K or ⌘K outside dialogs; `?` asks for help. */
export function useShortcuts({ isOn, onHelp }: { readonly isOn: boolean; readonly onHelp: () => void }): void {
  const help = useRef(onHelp);
  help.current = onHelp;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const wanted = wantedBy(event, isOn);
      if (wanted === undefined) return;
      event.preventDefault();
      if (wanted === 'help') help.current();
      else focusSearch();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [isOn]);
}

function wantedBy(event: KeyboardEvent, isOn: boolean): 'search' | 'help' | undefined {
  const { key: pressed, ctrlKey, metaKey, altKey, defaultPrevented } = event;
  if (defaultPrevented || altKey) return undefined;
  if (ctrlKey || metaKey) return pressed.toLowerCase() === 'k' && !isWithin(event, covering) ? 'search' : undefined;
  const wanted = ({ '/': 'search', '?': 'help' } as const)[pressed];
  return isOn && !isWithin(event, taken) ? wanted : undefined;
}

function isWithin({ target }: KeyboardEvent, elements: string): boolean {
  return target instanceof Element && target.closest(elements) !== null;
}

/** Elements that receive the key themselves, and dialogs, which cover the search. */
const covering = '[role="dialog"]';
const taken = `input, textarea, select, [contenteditable], ${covering}`;

/** On a narrow screen a button opens the field and focuses it. */
function focusSearch(): void {
  const field = document.querySelector<HTMLInputElement>('#bar header input');
  if (field !== null) field.focus();
  else document.querySelector<HTMLElement>(`#bar header [aria-label="${searchLabel}"]`)?.click();
}

/** The label of the field and of its button. */
export const searchLabel = 'Find a user, application or role';
