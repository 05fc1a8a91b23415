import * as v from 'valibot';
import type { ManagementClient } from '#client/management/management-client.ts';
import type { Change } from '#shared/contract/change.ts';

/** Repeats a change. The answer to a creation has no `changed`. */
export type RestoringCall = (query: { readonly dryRun: boolean }) => Promise<object>;

/** How the states after the changes of what an option keeps are restored. */
export interface OptionRestoring {
  /** Whether a change is of that. */
  isOwn(change: Change): boolean;
  /** The actions that create something whose id is never free again. */
  readonly creations: readonly string[];
  /** The parts of a subject that change independently, each by the action that changes it. */
  readonly parts: Readonly<Record<string, string>>;
  /** The call that restores the state; undefined for a change that cannot be repeated. */
  callFor(client: ManagementClient, change: Change): RestoringCall | undefined;
}

/** A change with the members of its state as a request has them. */
export type RestoredChange = Omit<Change, 'after'> & { readonly after: object | null };

type Call<Body> = (body: Body, ...query: Parameters<RestoringCall>) => ReturnType<RestoringCall>;

/** Sends every member of the operation's body that the change contains; undefined if it lacks a required one. */
export function withBody<Entries extends v.ObjectEntries>(
  { entries }: { readonly entries: Entries },
  { appId, connectionId, after, reason, ticket }: RestoredChange,
  call: Call<v.InferOutput<v.ObjectSchema<Entries, undefined>>>,
): RestoringCall | undefined {
  const given = { appId, connectionId, reason, ticket, ...after };
  const { success, output } = v.safeParse(v.object(entries), given);
  return success ? (query) => call(output, query) : undefined;
}
