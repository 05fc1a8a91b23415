import Box from '@cloudscape-design/components/box';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import type { Access } from '#shared/contract/access.ts';
import type { UserAccessView } from '#shared/contract/access-lists.ts';
import { Countdown } from '../lists/countdown.tsx';
import { LocalTime } from '../lists/local-time.tsx';
import { SettingNote } from './setting-note.tsx';

export interface AccessStatusProps {
  readonly access: Access & Pick<UserAccessView, 'statusSetBy'>;
  /** How many percent of the users the application is open to. */
  readonly rolloutPercent: number;
  /** Called when a block has expired. */
  readonly onEnd?: () => void;
}

/** What holds, the reason for it, and who set it. */
export function AccessStatus(props: AccessStatusProps) {
  const { access } = props;
  return (
    <div>
      <StatusBadge access={access} />
      <StatusDetails {...props} />
      {access.explicit && <SettingNote setting={access.statusSetBy} />}
    </div>
  );
}

/** What holds now, whatever is set. */
export function StatusBadge({ access }: { readonly access: Pick<Access, 'effectiveStatus'> }) {
  return access.effectiveStatus === 'enabled' ? (
    <StatusIndicator type="success">Enabled</StatusIndicator>
  ) : (
    <StatusIndicator type="stopped">Disabled</StatusIndicator>
  );
}

/** Why that holds, until when, and with which reason. */
export function StatusDetails({ access, rolloutPercent, onEnd }: AccessStatusProps) {
  const { decidedBy, status, until, reason } = access;
  const isBlocked = status === 'disabled' && decidedBy !== 'lapsed';
  return (
    <div>
      <Box variant="small" display="block">
        {explain(access, rolloutPercent)}
        {decidedBy === 'user' && isBlocked && ' Access is also turned off for this application.'}
      </Box>
      {isBlocked && (
        <Box variant="small" display="block">
          {until === null ? (
            'No expiry.'
          ) : (
            <>
              Until <LocalTime at={until} /> (<Countdown until={until} {...(onEnd && { onEnd })} /> left)
            </>
          )}
        </Box>
      )}
      {reason !== null && decidedBy !== 'default' && (
        <Box variant="small" display="block">
          Reason: {reason}
        </Box>
      )}
    </div>
  );
}

/** Why the effective status is what it is. */
function explain({ decidedBy, status, effectiveStatus }: Access, rolloutPercent: number): string {
  switch (decidedBy) {
    case 'user':
      return 'The user is inactive in all applications.';
    case 'default':
      return 'Default: no setting for this user.';
    case 'rollout':
      if (effectiveStatus === 'enabled') return `Rollout: among the ${rolloutPercent} % of users who may enter.`;
      return rolloutPercent === 0
        ? 'Rollout: nobody may enter without a setting yet.'
        : `Rollout: not among the ${rolloutPercent} % of users who may enter yet.`;
    case 'lapsed':
      return 'The block has expired.';
    case 'explicit':
      return status === 'enabled' ? 'Set by an operator or the application.' : 'Turned off for this application.';
    default:
      return decidedBy satisfies never;
  }
}
