import Box from '@cloudscape-design/components/box';
import Checkbox from '@cloudscape-design/components/checkbox';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import type { UserAccessView } from '#shared/contract/access-lists.ts';
import type { UserView } from '#shared/contract/user.ts';
import { SearchInput } from '../forms/search-input.tsx';
import { QueryStatus } from '../lists/query-status.tsx';
import { useOperator } from '../session/use-operator.ts';
import { RouteLink } from '../shell/route-link.tsx';
import { AccessCard } from './access-card.tsx';
import { InactiveUserBadge } from './access-status.tsx';
import { isAllowedBySetting } from './access-switch.tsx';
import { AccessTable } from './access-table.tsx';

const manyApplications = 8;

export interface UserAccessListProps {
  readonly user: UserView;
  readonly accesses: UseQueryResult<readonly UserAccessView[]>;
}

/** All applications, with a switch each. */
export function UserAccessList({ user: { displayName, status }, accesses }: UserAccessListProps) {
  const { data } = accesses;
  const { may, restriction } = useOperator();
  const [wanted, setWanted] = useState('');
  const [onlyBlocked, setOnlyBlocked] = useState(false);
  const isMany = data !== undefined && data.length > manyApplications;
  const shown = (data ?? [])
    .map((access) => ({ ...access, displayName }))
    .filter(
      (access) =>
        `${access.appId} ${access.appName}`.toLowerCase().includes(wanted.trim().toLowerCase()) &&
        !(onlyBlocked && isAllowedBySetting(access, Date.now())),
    );
  return (
    <section aria-labelledby="applications">
      <SpaceBetween size="s">
        <Header
          variant="h2"
          counter={data && `(${data.length})`}
          description={restriction ?? 'Each switch applies to one application.'}
        >
          <span id="applications">Applications</span>
        </Header>
        {status === 'inactive' && <InactiveUserBadge />}
        <SpaceBetween size="s" direction="horizontal" alignItems="center">
          {isMany && (
            <SearchInput
              value={wanted}
              label="Find an application"
              placeholder="Find an application"
              onChange={setWanted}
            />
          )}
          {data && data.length > 1 && (
            <Checkbox checked={onlyBlocked} onChange={({ detail }) => setOnlyBlocked(detail.checked)}>
              Blocked only
            </Checkbox>
          )}
        </SpaceBetween>
        {!accesses.isSuccess && <QueryStatus query={accesses} of="the applications" />}
        {data?.length === 0 && (
          <Box>
            No applications yet.{' '}
            {may('create-application') && <RouteLink to="/applications">Create an application</RouteLink>}
          </Box>
        )}
        {data && data.length > 0 && shown.length === 0 && <Box>No applications match.</Box>}
        {isMany && shown.length > 0 && <AccessTable accesses={shown} />}
        {!isMany && shown.map((access) => <AccessCard key={access.appId} access={access} />)}
      </SpaceBetween>
    </section>
  );
}
