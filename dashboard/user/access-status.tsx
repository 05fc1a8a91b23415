import Box from '@cloudscape-design/components/box';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import type { Access, DecidedBy } from '#shared/contract/access.ts';
import type { ApplicationUserView, UserAccessView } from '#shared/contract/access-lists.ts';
import { Countdown } from '../lists/countdown.tsx';
import { LocalTime } from '../lists/local-time.tsx';
import { accessLabels } from '../words.ts';
import { SettingNote } from './setting-note.tsx';

/** The one line for all applications of an inactive user. */
export function InactiveUserBadge() {
  return <StatusIndicator type="stopped">{`${accessLabels.disabled}: user inactive`}</StatusIndicator>;
}

export interface AccessStatusProps {
  readonly access: Access & Pick<UserAccessView, 'statusSetBy'>;
  /** The rollout percentage of the application. */
  readonly rolloutPercent: number;
  /** Called when a block has expired. */
  readonly onEnd?: () => void;
  /** Whether the page says elsewhere that the user is inactive. Default: no. */
  readonly isWithinUser?: boolean;
}

export interface UserStatusProps {
  readonly access: Access & Pick<ApplicationUserView, 'statusSetBy' | 'userStatusSetBy'>;
  readonly rolloutPercent: number;
}

/** The effective status of one user of an application, what decided it, and who set it. */
export function UserStatus({ access, rolloutPercent }: UserStatusProps) {
  return (
    <SpaceBetween size="xxxs">
      <StatusBadge access={access} />
      <StatusDetails access={access} rolloutPercent={rolloutPercent} />
      {access.decidedBy === 'user' ? (
        <SettingNote setting={access.userStatusSetBy} withReason />
      ) : (
        access.explicit && <SettingNote setting={access.statusSetBy} />
      )}
    </SpaceBetween>
  );
}

/** The effective status, whatever the setting. */
export function StatusBadge({ access }: { readonly access: Pick<Access, 'effectiveStatus'> }) {
  const { effectiveStatus } = access;
  return (
    <StatusIndicator type={effectiveStatus === 'enabled' ? 'success' : 'stopped'}>
      {accessLabels[effectiveStatus]}
    </StatusIndicator>
  );
}

/** What decided the effective status, when the block ends, and its reason. */
export function StatusDetails({ access, rolloutPercent, onEnd, isWithinUser = false }: AccessStatusProps) {
  const { decidedBy, status, until, reason } = access;
  const isBlocked = status === 'disabled' && decidedBy !== 'lapsed';
  return (
    <div>
      {decidedBy !== 'explicit' && !(decidedBy === 'user' && isWithinUser) && (
        <Box variant="small" display="block">
          {explain(decidedBy, access.effectiveStatus, rolloutPercent)}
          {decidedBy === 'user' && isBlocked && ' This application is also blocked by a setting.'}
        </Box>
      )}
      {isBlocked && (
        <Box variant="small" display="block">
          {until === null ? (
            'No expiry.'
          ) : (
            <>
              Until <LocalTime at={until} /> (<Countdown until={until} {...(onEnd && { onEnd })} />)
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

/** What decided the effective status, apart from a setting of the user. */
function explain(
  decidedBy: Exclude<DecidedBy, 'explicit'>,
  effectiveStatus: Access['effectiveStatus'],
  rolloutPercent: number,
): string {
  switch (decidedBy) {
    case 'user':
      return 'The user is inactive in all applications.';
    case 'default':
      return 'Default: no setting for this user.';
    case 'rollout':
      if (effectiveStatus === 'enabled') return `Rollout: among the ${rolloutPercent}% of users who are allowed.`;
      return rolloutPercent === 0
        ? 'Rollout at 0%: only users with a setting are allowed.'
        : `Rollout: not yet among the ${rolloutPercent}% of users who are allowed.`;
    case 'lapsed':
      return 'The block has expired.';
    default:
      return decidedBy satisfies never;
  }
}
