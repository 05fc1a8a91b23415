import type { ChangeAction, ChangeSide } from '#shared/contract/change.ts';
import type { AppId } from '#shared/contract/ids.ts';
import { now } from '#shared/core/clock.ts';
import { type Application, readApplication, updateApplicationEntry } from '#shared/table/application.ts';
import { putChangeEntry } from '#shared/table/change.ts';
import { transact } from '#shared/table/client.ts';
import { laterMoment } from './later-moment.ts';
import { presentApplication } from './present-application.ts';
import { recordChange } from './record-change.ts';
import { refuseOtherVersion } from './refuse-other-version.ts';
import type { RequestContext } from './request-context.ts';
import { retryWhileMoving } from './retry-while-moving.ts';

/** What a decision about an application asks to write. */
export interface ApplicationChange {
  readonly action: ChangeAction;
  readonly keyId?: string;
  readonly next: Partial<Pick<Application, 'name' | 'keys'>>;
  readonly before: ChangeSide;
  readonly after: ChangeSide;
}

export interface ApplicationCommand {
  readonly appId: AppId;
  /** The versions that the caller has seen; undefined is any. */
  readonly ifMatch?: readonly number[] | undefined;
}

/** The one way to change an application: read, decide, write with its record; again when somebody else was faster. */
export async function changeApplication(
  { appId, ifMatch }: ApplicationCommand,
  context: RequestContext,
  decide: (application: Application, at: Date) => ApplicationChange | undefined,
): Promise<{ application: Application; changed: boolean }> {
  return retryWhileMoving(async () => {
    const read = presentApplication(await readApplication(appId));
    refuseOtherVersion('application', read.version, ifMatch);
    const at = now();
    const change = decide(read, at);
    if (change === undefined) return { application: read, changed: false };
    const updatedAt = laterMoment(at, read.updatedAt);
    const application = { ...read, ...change.next, version: read.version + 1, updatedAt };
    const record = recordChange(context, {
      ...change,
      at: updatedAt,
      appId,
      before: { ...change.before, version: read.version },
      after: { ...change.after, version: application.version },
      reason: null,
    });
    const outcome = await transact([updateApplicationEntry(read, application), putChangeEntry(record)]);
    return outcome.kind === 'committed' ? { application, changed: true } : 'moved';
  });
}
