import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import Grid from '@cloudscape-design/components/grid';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useQueryClient } from '@tanstack/react-query';
import { queryKeys } from '../api/queries.ts';
import { applicationPath, RouteLink } from '../shell/route-link.tsx';
import { AccessControl } from './access-control.tsx';
import { AccessStatus } from './access-status.tsx';
import { AccessSwitch } from './access-switch.tsx';
import { RoleTokens } from './role-tokens.tsx';
import type { NamedAccess } from './use-user-access.ts';

const columns = [
  { colspan: { default: 12, xs: 6, s: 4 } },
  { colspan: { default: 12, xs: 6, s: 4 } },
  { colspan: { default: 12, s: 4 } },
];

/** The user's access to one application: switch, status and roles. */
export function AccessCard({ access }: { readonly access: NamedAccess }) {
  const queryClient = useQueryClient();
  const reload = () => void queryClient.invalidateQueries({ queryKey: queryKeys.userAccess(access.userId) });
  return (
    <Container>
      <div data-testid={`access-${access.appId}`}>
        <SpaceBetween size="s">
          <AccessControl access={access}>
            {(change) => (
              <Grid gridDefinition={columns}>
                <SpaceBetween size="xs">
                  <Box variant="h3" padding="n">
                    <ApplicationName access={access} />
                  </Box>
                  <AccessSwitch access={access} change={change} />
                </SpaceBetween>
                <AccessStatus access={access} rolloutPercent={access.rolloutPercent} onEnd={reload} />
                <RoleTokens access={access} change={change} />
              </Grid>
            )}
          </AccessControl>
        </SpaceBetween>
      </div>
    </Container>
  );
}

/** The name, and the ID if it differs. */
export function ApplicationName({ access: { appId, appName } }: { readonly access: NamedAccess }) {
  return (
    <>
      <RouteLink to={applicationPath(appId)}>{appName}</RouteLink>
      {appName !== appId && (
        <Box variant="small" display="inline" margin={{ left: 'xs' }}>
          {appId}
        </Box>
      )}
    </>
  );
}
