import { applyMode, Mode } from '@cloudscape-design/global-styles';

/** `system` follows the operating system and its changes. */
export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const key = 'theme';
const system = matchMedia('(prefers-color-scheme: dark)');

/** Applies the stored theme, and follows changes of the system. */
export function followTheme(): void {
  apply();
  system.addEventListener('change', apply);
}

export function chooseTheme(theme: Theme): void {
  localStorage.setItem(key, theme);
  apply();
}

export function chosenTheme(): Theme {
  const kept = localStorage.getItem(key);
  return themes.find((theme) => theme === kept) ?? 'system';
}

function apply(): void {
  const theme = chosenTheme();
  const isDark = theme === 'system' ? system.matches : theme === 'dark';
  applyMode(isDark ? Mode.Dark : Mode.Light);
}
