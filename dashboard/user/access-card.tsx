import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import Grid from '@cloudscape-design/components/grid';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useQueryClient } from '@tanstack/react-query';
import type { UserAccessView } from '#shared/contract/access-lists.ts';
import { hasCode, isUnanswered } from '../api/problem-error.ts';
import { queryKeys } from '../api/queries.ts';
import { ProblemAlert } from '../lists/problem-alert.tsx';
import { applicationPath, RouteLink } from '../shell/route-link.tsx';
import { AccessStatus } from './access-status.tsx';
import { AccessSwitch } from './access-switch.tsx';
import { ConflictDialog, versionAfter } from './conflict-dialog.tsx';
import { RoleTokens } from './role-tokens.tsx';
import { type AccessMutation, useAccessMutation } from './use-user-access.ts';

/** The user's access to one application: switch, status and roles. */
export function AccessCard({ access }: { readonly access: UserAccessView }) {
  const queryClient = useQueryClient();
  const change = useAccessMutation(access);
  const { error, variables: write, mutate } = change;
  const { userId, appId, appName } = access;
  const reload = () => void queryClient.invalidateQueries({ queryKey: queryKeys.userAccess(userId) });
  return (
    <Container>
      <div data-testid={`access-${appId}`}>
        <SpaceBetween size="s">
          <Grid
            gridDefinition={[
              { colspan: { default: 12, xs: 6, s: 4 } },
              { colspan: { default: 12, xs: 6, s: 4 } },
              { colspan: { default: 12, s: 4 } },
            ]}
          >
            <SpaceBetween size="xs">
              <Box variant="h3" padding="n">
                <RouteLink to={applicationPath(appId)}>{appName}</RouteLink>
                {appName !== appId && (
                  <Box variant="small" display="inline" margin={{ left: 'xs' }}>
                    {appId}
                  </Box>
                )}
              </Box>
              <AccessSwitch access={access} change={change} />
            </SpaceBetween>
            <AccessStatus access={access} rolloutPercent={access.rolloutPercent} onEnd={reload} />
            <RoleTokens access={access} change={change} />
          </Grid>
          {!hasCode(error, 'version_mismatch') && (
            <ProblemAlert error={error} retry={isUnanswered(error) && write ? () => mutate(write) : undefined} />
          )}
        </SpaceBetween>
      </div>
      <AccessConflict access={access} change={change} />
    </Container>
  );
}

/** Asks how to continue when a write met another version of the access. */
function AccessConflict({ access, change }: { readonly access: UserAccessView; readonly change: AccessMutation }) {
  const queryClient = useQueryClient();
  const { error, variables: write, mutate, reset } = change;
  if (write === undefined || !hasCode(error, 'version_mismatch')) return null;
  return (
    <ConflictDialog
      userId={access.userId}
      intent={write.intent}
      isMeanwhile={(other) => other.appId === access.appId && versionAfter(other) > write.ifMatch}
      onKeep={() => {
        reset();
        void queryClient.invalidateQueries({ queryKey: queryKeys.user(access.userId) });
      }}
      onOverride={(version) => mutate({ ...write, ifMatch: version })}
    />
  );
}
