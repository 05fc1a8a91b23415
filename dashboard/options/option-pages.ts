import type { ComponentType, ReactNode } from 'react';
import type { ApplicationView } from '#shared/contract/application.ts';
import type { Change } from '#shared/contract/change.ts';
import type { OverviewView } from '#shared/contract/overview.ts';

/** What an option adds to the dashboard. `options/pages.ts` lists the options. */
export interface OptionPages {
  /** Its pages. */
  readonly routes?: readonly OptionRoute[];
  /** Its tabs on the page of an application. */
  readonly applicationTabs?: readonly ApplicationTab[];
  /** Its pages of keys, to which the page of API keys links. */
  readonly keyLinks?: readonly PageLink[];
  /** What of it needs attention. */
  readonly toDos?: (overview: OverviewView) => readonly ToDo[];
  /** Which of its resources a change is about, if any. */
  readonly changeSubject?: (change: Change) => string | undefined;
  /** What each of its scopes allows an API key of an application to do. */
  readonly scopes?: Readonly<Record<string, string>>;
}

/** Loads the script of a part of the dashboard when it is needed. */
type Lazy<Props extends object> = () => Promise<{ readonly default: ComponentType<Props> }>;

/** A page, as React Router describes one. */
export interface OptionRoute {
  readonly path: string;
  readonly lazy: Lazy<object>;
}

/** A link to a page. */
export interface PageLink {
  readonly text: string;
  readonly to: string;
}

/** A tab on the page of an application. */
export interface ApplicationTab {
  /** Its name in the URL. */
  readonly id: string;
  readonly label: string;
  readonly lazy: Lazy<ApplicationTabProps>;
}

/** The application whose page a tab is on. */
export interface ApplicationTabProps {
  readonly appId: string;
  readonly application: ApplicationView;
}

/** Something that needs attention, with the page that shows it. */
export interface ToDo {
  /** Unique on the overview. */
  readonly id: string;
  readonly to: string;
  /** The number before the label; undefined for something that is named. */
  readonly found?: { readonly count: number; readonly more: boolean };
  readonly label: ReactNode;
}

/** Something that is counted, at the page that lists it. */
export function countedToDo(to: string, found: NonNullable<ToDo['found']>, words: (count: number) => string) {
  return { id: to, to, found, label: words(found.count) };
}
