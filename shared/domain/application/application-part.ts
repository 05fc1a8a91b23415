import type { Change } from '#shared/contract/change.ts';
import type { AppId } from '#shared/contract/fields.ts';
import type { TransactEntry } from '#shared/table/client.ts';
import type { Application } from '#shared/table/items/application-item.ts';
import type { ChangeContent } from '../request/build-change.ts';

/** A Change of a part that is missing. */
export type MissingChange = Pick<ChangeContent, 'action' | 'webhookId' | 'before' | 'after'>;

/** What an option keeps of each application: in its item, whose chain has the part's Changes, and in items beside it. */
export interface ApplicationPart {
  /** How the actions of its Changes begin. */
  readonly actions: `${string}.`;
  /** The attributes of the application that a Change of the part sets. */
  attributesAfter(application: Application, change: Change): Partial<Application>;
  /** What must be recorded of states whose Changes are missing; `own` are the Changes that are there. */
  missingChanges(application: Application, own: readonly Change[]): readonly MissingChange[];
  /** Writes items beside the application that are missing, and what the repair calls them. */
  readonly items: string;
  missingItems(appId: AppId, application: Application): Promise<readonly TransactEntry[]>;
  /** Deletes some of the items beside a deleted application; false if there are none. */
  deleteItems(appId: AppId): Promise<boolean>;
}
