import type { AutosuggestProps } from '@cloudscape-design/components/autosuggest';
import type { ApplicationView } from '#shared/contract/application.ts';
import { roleNamePattern } from '#shared/contract/fields.ts';
import { foldLetters } from '#shared/contract/fold-letters.ts';
import { applicationPath, rolePath } from './page-paths.ts';

/** The page of the role whose name is typed, which may have holders in any application; none if it cannot be the name of one. */
export function suggestRole(typed: string): AutosuggestProps.Option[] {
  if (!roleNamePattern.test(typed)) return [];
  return [{ value: rolePath(typed), label: `Who has the role “${typed}”?`, labelTag: 'All applications' }];
}

/** More would hide the users below them. */
const maxSuggested = 3;

/** Tabs to open directly; the page itself starts with the API keys. */
const sections = [
  { tab: 'roles', label: 'Roles' },
  { tab: 'users', label: 'Users' },
  { tab: 'history', label: 'History' },
] as const;

/**
 * Applications whose ID or a word of whose name begins with the typed text, ignoring case and accents; for a single match also
 * its tabs. The value of an option is its path.
 */
export function suggestApplications(all: readonly ApplicationView[], typed: string): AutosuggestProps.Option[] {
  const text = fold(typed);
  if (text === '') return [];
  const found = all.filter(({ appId, name }) => appId.startsWith(text) || ` ${fold(name)}`.includes(` ${text}`));
  const exact = found.filter(({ appId, name }) => appId === text || fold(name) === text);
  const shown = exact.length === 1 ? exact : found;
  if (shown.length !== 1) return found.slice(0, maxSuggested).map((application) => applicationOption(application));
  return shown.flatMap((application) => [
    applicationOption(application),
    ...sections.map((section) => applicationOption(application, section)),
  ]);
}

function applicationOption(
  { appId, name }: ApplicationView,
  section?: (typeof sections)[number],
): AutosuggestProps.Option {
  const path = applicationPath(appId);
  if (section !== undefined) return { value: `${path}?tab=${section.tab}`, label: `${section.label} of ${name}` };
  return { value: path, label: name, labelTag: 'Application', ...(name !== appId && { tags: [appId] }) };
}

function fold(text: string): string {
  return foldLetters(text).trim().replace(/\s+/g, ' ');
}
