import Badge from '@cloudscape-design/components/badge';
import StatusIndicator, { type StatusIndicatorProps } from '@cloudscape-design/components/status-indicator';
import type { ReactNode } from 'react';
import type { KeyView } from '#shared/contract/api-key.ts';
import { endsSoonDays, endsUrgentlyDays, endsWithin, isUnusedFor, unusedDays } from '#shared/contract/key-attention.ts';
import { Countdown } from '../lists/countdown.tsx';
import { LocalTime } from '../lists/local-time.tsx';

const daySeconds = 86_400;

interface KeyProps {
  readonly apiKey: KeyView<string>;
}

/** Whether a key is valid now. */
export function isActive({ revokedAt, expiresAt }: KeyView<string>, now: number): boolean {
  return revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > now);
}

/** When a key expires: amber within 30 days, red within 7 days and once expired, always with a text. A replaced key is to expire. */
export function KeyEnd({ apiKey, onEnd }: KeyProps & { readonly onEnd: () => void }) {
  const { revokedAt, expiresAt } = apiKey;
  if (revokedAt !== null) {
    return (
      <Ending type="stopped" state="Revoked">
        <LocalTime at={revokedAt} />
      </Ending>
    );
  }
  if (expiresAt === null) return <StatusIndicator type="success">No expiry</StatusIndicator>;
  if (!isActive(apiKey, Date.now())) {
    return (
      <Ending type="error" state="Expired">
        <LocalTime at={expiresAt} />
      </Ending>
    );
  }
  const urgency = urgencyOf(apiKey);
  return (
    <Ending type={urgency} state={urgency === 'success' ? 'Expires' : 'Expires soon'}>
      <LocalTime at={expiresAt} /> (<Countdown until={expiresAt} onEnd={onEnd} />)
    </Ending>
  );
}

interface EndingProps {
  readonly type: StatusIndicatorProps.Type;
  readonly state: string;
  /** The time, on a line of its own because an indicator breaks its text anywhere. */
  readonly children: ReactNode;
}

function Ending({ type, state, children }: EndingProps) {
  return (
    <>
      <StatusIndicator type={type}>{state}</StatusIndicator>
      <div>{children}</div>
    </>
  );
}

/** Whether a valid key expires within 30 days, and no other replaces it. */
export function endsSoon(key: KeyView<string>): boolean {
  return key.replacedBy === null && endsWithin(key, endsSoonDays * daySeconds, new Date());
}

/** Whether a valid key was not used for 30 days. */
export function isIdle(key: KeyView<string>): boolean {
  const at = new Date();
  return isActive(key, at.getTime()) && isUnusedFor(key, unusedDays * daySeconds, at);
}

function urgencyOf(key: KeyView<string>): 'success' | 'warning' | 'error' {
  if (!endsSoon(key)) return 'success';
  return endsWithin(key, endsUrgentlyDays * daySeconds, new Date()) ? 'error' : 'warning';
}

/** The day of a key's last use, with a badge if it has been unused for long. */
export function LastUse({ apiKey }: KeyProps) {
  return (
    <>
      {apiKey.lastUsedOn === null ? 'Never' : <LastDay on={apiKey.lastUsedOn} />}
      {isIdle(apiKey) && (
        <div>
          <Badge color="grey">Unused for {unusedDays} days</Badge>
        </div>
      )}
    </>
  );
}

const dayFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });

/** A day in UTC; formatted in the operator's time zone it could become the day before. */
function LastDay({ on }: { readonly on: string }) {
  return <time dateTime={on}>{dayFormat.format(new Date(on))}</time>;
}
