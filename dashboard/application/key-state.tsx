import StatusIndicator from '@cloudscape-design/components/status-indicator';
import type { KeyView } from '#shared/contract/management.ts';
import { Countdown } from '../lists/countdown.tsx';
import { Moment } from '../lists/moment.tsx';

/** Whether a key lets anybody in now. */
export function isActive({ revokedAt, expiresAt }: KeyView, now: number): boolean {
  return revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > now);
}

/** What a key is good for, and how long. */
export function KeyState({ apiKey, onEnd }: { readonly apiKey: KeyView; readonly onEnd: () => void }) {
  const { revokedAt, expiresAt } = apiKey;
  if (revokedAt !== null) {
    return (
      <StatusIndicator type="stopped">
        Revoked <Moment at={revokedAt} />
      </StatusIndicator>
    );
  }
  if (expiresAt === null) return <StatusIndicator type="success">Active, no end</StatusIndicator>;
  if (!isActive(apiKey, Date.now())) {
    return (
      <StatusIndicator type="stopped">
        Expired <Moment at={expiresAt} />
      </StatusIndicator>
    );
  }
  return (
    <StatusIndicator type="pending">
      Ends <Moment at={expiresAt} /> (<Countdown until={expiresAt} onEnd={onEnd} /> left)
    </StatusIndicator>
  );
}
