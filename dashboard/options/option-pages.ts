import type { ComponentType, ReactNode } from 'react';
import type { UserAccessView } from '#shared/contract/access-lists.ts';
import type { ApplicationView } from '#shared/contract/application.ts';
import type { Change, ChangeView } from '#shared/contract/change.ts';
import type { OverviewMember } from '#shared/contract/overview-member.ts';
import type { ReadUserView, UserView } from '#shared/contract/user.ts';
import type { CountedApplication } from '#shared/csv/application-table.ts';
import type { Api, ReadName, WriteName } from '../api/create-api.ts';

/** What an option adds to the dashboard. `options/pages.ts` lists the options. */
export interface OptionPages {
  /** Its pages. */
  readonly routes?: readonly OptionRoute[];
  /** Its tabs on the page of an application. */
  readonly applicationTabs?: readonly ApplicationTab[];
  /** Its pages of keys, to which the page of API keys links. */
  readonly keyLinks?: readonly PageLink[];
  /** The button that changes many users, in lists where they can be selected. At most one option has it. */
  readonly changeUsers?: ComponentType<ChangeUsersProps>;
  /** What it does with a user as a whole. */
  readonly userActions?: readonly UserAction[];
  /** Its sections on the page of a user, below the applications. */
  readonly userSections?: readonly UserSection[];
  /** In the dialog that activates a user: what can be done next, such as giving back what a deactivation took. */
  readonly activationPart?: Lazy<ActivationPartProps>;
  /** Its pages that the list of all users leads to. */
  readonly userLinks?: readonly (PageLink & { readonly operation: WriteName })[];
  /** The pages about a bulk of changes. At most one option has them. */
  readonly bulks?: BulkPages;
  /** Its bulks of changes of one user, which a history names. */
  readonly bulkKind?: BulkKind;
  /** The page that the dashboard begins with, the first in its menu. At most one option has it; default: the list of users. */
  readonly home?: PageLink;
  /** The counts that it keeps, which lists show; in one request. At most one option has them. */
  readonly counts?: (api: Api<ReadName>, signal: AbortSignal) => Promise<CountedState>;
  /** What of it needs attention, on the overview. */
  readonly toDos?: ToDos;
  /** Which of its resources a change is about, if any. */
  readonly changeSubject?: (change: Change) => string | undefined;
  /** What each of its scopes allows an API key of an application to do. */
  readonly scopes?: Readonly<Record<string, string>>;
}

/** What is counted of everything. */
export interface CountedState {
  readonly users: { readonly active: number; readonly inactive: number };
  readonly applications: ReadonlyMap<string, CountedApplication>;
}

/** Loads the script of a part of the dashboard when it is needed. */
type Lazy<Props extends object> = () => Promise<{ readonly default: ComponentType<Props> }>;

/** A page, as React Router describes one. */
export interface OptionRoute {
  readonly path: string;
  readonly lazy: Lazy<object>;
  /** The operation of the form on it, which is only for operators who may send it. */
  readonly operation?: WriteName;
  /** The first part of the path of the page that is marked in the bar. Default: its own. */
  readonly section?: string;
}

/** A link to a page. */
export interface PageLink {
  readonly text: string;
  readonly to: string;
}

/** What the button that changes many users is given. */
export interface ChangeUsersProps {
  /** The selected users; if empty, the page asks for users. */
  readonly users: readonly { readonly userId: string }[];
  /** The action that is chosen at first, with its application and its role. */
  readonly action?: 'assign' | 'revoke';
  readonly appId?: string;
  readonly role?: string;
  /** Default: names the number of selected users. */
  readonly children?: string;
  readonly disabled?: boolean;
}

/** Something to do with a user, in a dialog. */
export interface UserAction {
  readonly text: string;
  readonly operation: WriteName;
  /** When it is to be chosen in place of a deactivation, as a part of a sentence. Default: never. */
  readonly insteadOfDeactivation?: string;
  /** Whether it takes something from the user: then its button is red and stands apart. Default: no. */
  readonly isDestructive?: boolean;
  readonly lazy: Lazy<UserDialogProps>;
}

/** A dialog about a user. */
export interface UserDialogProps {
  readonly user: UserView;
  readonly onClose: () => void;
}

/** A section on the page of a user, which is loaded after the applications. */
export interface UserSection {
  readonly id: string;
  /** What it is about, as its heading says. */
  readonly label: string;
  readonly lazy: Lazy<UserSectionProps>;
}

/** The user whose page a section is on. */
export interface UserSectionProps {
  readonly user: ReadUserView;
}

/** A part of the dialog that activates a user. */
export interface ActivationPartProps {
  readonly user: ReadUserView;
  /** In all applications. */
  readonly accesses: readonly UserAccessView[];
  /** Called with what is to be done after the activation; undefined for nothing. */
  readonly onChoose: (next: NextStep | undefined) => void;
}

/** The page that goes on once a user has been activated. */
export interface NextStep {
  /** The applications that it changes, which can require a reason. */
  readonly appIds: readonly string[];
  readonly path: string;
  /** The state of the navigation to it, with the reason that was entered. */
  readonly stateFor: (why: { readonly reason: string; readonly ticket: string }) => object;
}

/** Changes that were made as one. */
export interface Bulk {
  readonly bulkId: string;
  /** Undefined for changes of the global status. */
  readonly appId: string | undefined;
}

/** The pages about a bulk of changes, to which a history links. */
export interface BulkPages {
  readonly path: (bulk: Bulk) => string;
  /** Where it is undone, by which operation. */
  readonly undo: (bulk: Bulk) => { readonly to: string; readonly operation: WriteName };
}

/** A kind of bulks of changes that are about one user. */
export interface BulkKind {
  /** What it did with the user, such as `Offboarded`. */
  readonly word: string;
  readonly isOwn: (changes: readonly Change[]) => boolean;
  /** What its page offers. */
  readonly lazy: Lazy<BulkKindProps>;
}

/** A bulk of changes on its page. */
export interface BulkKindProps {
  readonly bulkId: string;
  /** The newest first. */
  readonly changes: readonly ChangeView[];
  readonly displayName: string | null | undefined;
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

/** What needs attention, by the member of the overview's answer that counts or names it. */
export interface ToDos<Value = unknown> {
  readonly member: OverviewMember<Value>;
  of(value: Value): readonly ToDo[];
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
