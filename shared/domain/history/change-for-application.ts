import type { ApplicationChange, Change, RecordedState } from '#shared/contract/change.ts';
import type { AppId } from '#shared/contract/fields.ts';

/** An application that reads changes, by one of its keys or webhooks. */
export interface ChangeReader {
  readonly appId: AppId;
  /** Whether it may read where webhooks post. Their URLs often contain a token of the receiver. */
  readonly readsWebhookUrls: boolean;
}

/**
 * A change as an application may read it: without the connection or the operator's id, issuer, e-mail address and
 * network address, and without its MAC, which covers them. A change of the user itself, outside the application, keeps only
 * the status.
 */
export function changeForApplication(
  { integrity: _, connectionId: __, ...change }: Change,
  { appId, readsWebhookUrls }: ChangeReader,
): ApplicationChange {
  // No feed has changes of connections.
  const own = withoutCaller(change as OwnChange);
  const shown = change.webhookId === undefined || readsWebhookUrls ? own : withoutUrls(own);
  if (change.appId === appId) return shown;
  const { ticket: ___, ...others } = shown;
  return { ...others, before: statusOf(change.before), after: statusOf(change.after), reason: null };
}

type OwnChange = Omit<Change, 'integrity' | 'connectionId' | 'action'> & Pick<ApplicationChange, 'action'>;

function withoutCaller(change: OwnChange): ApplicationChange {
  const { caller } = change;
  if (caller.kind === 'api-key') return { ...change, caller };
  if (caller.kind === 'service') {
    const { sourceIp: _, ...others } = change;
    return { ...others, caller };
  }
  const { sourceIp: _, ...others } = change;
  return { ...others, caller: { kind: caller.kind } };
}

function withoutUrls(change: ApplicationChange): ApplicationChange {
  return { ...change, before: withoutUrl(change.before), after: withoutUrl(change.after) };
}

function withoutUrl(recorded: RecordedState | null): RecordedState | null {
  if (recorded === null) return null;
  const { url: _, ...others } = recorded;
  return others;
}

function statusOf(recorded: RecordedState | null): RecordedState | null {
  if (recorded === null) return null;
  const { status, version } = recorded;
  return { ...(status !== undefined && { status }), ...(version !== undefined && { version }) };
}
