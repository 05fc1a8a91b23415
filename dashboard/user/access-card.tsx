import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import Grid from '@cloudscape-design/components/grid';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { Access } from '#shared/contract/access.ts';
import type { UserAccessView } from '#shared/contract/management.ts';
import { ProblemAlert } from '../lists/problem-alert.tsx';
import { applicationPath } from '../shell/paths.ts';
import { RouteLink } from '../shell/route-link.tsx';
import { AccessConflict } from './access-conflict.tsx';
import { AccessStatus } from './access-status.tsx';
import { AccessSwitch } from './access-switch.tsx';

import { RoleTokens } from './role-tokens.tsx';
import { useAccessChange } from './use-access-change.ts';

export interface AccessCardProps {
  readonly access: UserAccessView;
  readonly put: (access: Access) => void;
  /** Called when a block ran out, or somebody else was faster. */
  readonly reload: () => void;
}

/** One application: the switch, what holds and why, and the roles. */
export function AccessCard({ access, put, reload }: AccessCardProps) {
  const change = useAccessChange(access, put);
  const { appId, appName } = access;
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
            <AccessStatus access={access} onEnd={reload} />
            <RoleTokens access={access} change={change} />
          </Grid>
          <ProblemAlert problem={change.problem} />
        </SpaceBetween>
      </div>
      <AccessConflict access={access} change={change} reload={reload} />
    </Container>
  );
}
