import Box from '@cloudscape-design/components/box';
import { useQueryClient } from '@tanstack/react-query';
import { queryKeys } from '../api/queries.ts';
import { applicationPath } from '../shell/page-paths.ts';
import { RouteLink } from '../shell/route-link.tsx';
import { accessLabels } from '../words.ts';
import { AccessControl } from './access-control.tsx';
import { StatusBadge, StatusDetails } from './access-status.tsx';
import { AccessSwitch, labelOf } from './access-switch.tsx';
import { isAllowedBySetting } from './is-allowed-by-setting.ts';
import { RoleTokens } from './role-tokens.tsx';
import { SettingNote } from './setting-note.tsx';
import type { NamedAccess } from './use-user-access.ts';

export interface AccessRowsProps {
  readonly accesses: readonly NamedAccess[];
  /** Names the list for screen readers. */
  readonly label: string;
}

/** The user's access to each application: switch, what it does not say, and roles; on a narrow screen as cards. */
export function AccessRows({ accesses, label }: AccessRowsProps) {
  return (
    <ul className="accesses" aria-label={label}>
      {accesses.map((access) => (
        <li key={access.appId} data-testid={`access-${access.appId}`}>
          <AccessControl access={access}>
            {(change) => (
              <>
                <ApplicationName access={access} />
                <AccessSwitch access={access} change={change} />
                <AccessNote access={access} />
                <RoleTokens access={access} change={change} />
              </>
            )}
          </AccessControl>
        </li>
      ))}
    </ul>
  );
}

/** The name, and the ID if it differs. */
function ApplicationName({ access: { appId, appName } }: { readonly access: NamedAccess }) {
  return (
    <div>
      <RouteLink to={applicationPath(appId)}>{appName}</RouteLink>
      {appName !== appId && ' '}
      {appName !== appId && (
        <Box variant="small" display="inline">
          <span className="part">{appId}</span>
        </Box>
      )}
    </div>
  );
}

/** What the switch does not say: a status that differs from it, what decided it, until when, and who set it. */
function AccessNote({ access }: { readonly access: NamedAccess }) {
  const queryClient = useQueryClient();
  const { userId, decidedBy, effectiveStatus, explicit, rolloutPercent, statusSetBy } = access;
  if (!explicit && decidedBy !== 'rollout') return null;
  const label = labelOf(isAllowedBySetting(access, Date.now()), explicit);
  return (
    <div className="note">
      {decidedBy !== 'user' && label !== accessLabels[effectiveStatus] && <StatusBadge access={access} />}
      <StatusDetails
        access={access}
        rolloutPercent={rolloutPercent}
        isWithinUser
        onEnd={() => void queryClient.invalidateQueries({ queryKey: queryKeys.userAccess(userId) })}
      />
      {explicit && <SettingNote setting={statusSetBy} />}
    </div>
  );
}
