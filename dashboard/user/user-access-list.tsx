import Box from '@cloudscape-design/components/box';
import Checkbox from '@cloudscape-design/components/checkbox';
import Header from '@cloudscape-design/components/header';
import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import type { UserAccessView } from '#shared/contract/access-lists.ts';
import { QueryStatus } from '../lists/query-status.tsx';
import { useOperator } from '../session/use-operator.ts';
import { RouteLink } from '../shell/route-link.tsx';
import { AccessCard } from './access-card.tsx';
import { isSwitchedOn } from './access-switch.tsx';
import { AccessTable } from './access-table.tsx';

const manyApplications = 8;

/** All applications, with a switch each. */
export function UserAccessList({ accesses }: { readonly accesses: UseQueryResult<readonly UserAccessView[]> }) {
  const { data } = accesses;
  const { may, limit } = useOperator();
  const [wanted, setWanted] = useState('');
  const [onlyBlocked, setOnlyBlocked] = useState(false);
  const isMany = data !== undefined && data.length > manyApplications;
  const shown = (data ?? []).filter(
    (access) =>
      `${access.appId} ${access.appName}`.toLowerCase().includes(wanted.trim().toLowerCase()) &&
      !(onlyBlocked && isSwitchedOn(access, Date.now())),
  );
  return (
    <section aria-labelledby="applications">
      <SpaceBetween size="s">
        <Header
          variant="h2"
          counter={data && `(${data.length})`}
          description={limit ?? 'Each switch applies to one application.'}
        >
          <span id="applications">Applications</span>
        </Header>
        <SpaceBetween size="s" direction="horizontal" alignItems="center">
          {isMany && (
            <Input
              type="search"
              value={wanted}
              ariaLabel="Find an application"
              placeholder="Find an application"
              clearAriaLabel="Clear"
              onChange={({ detail }) => setWanted(detail.value)}
            />
          )}
          {data && data.length > 1 && (
            <Checkbox checked={onlyBlocked} onChange={({ detail }) => setOnlyBlocked(detail.checked)}>
              Only blocked
            </Checkbox>
          )}
        </SpaceBetween>
        {!accesses.isSuccess && <QueryStatus query={accesses} of="the applications" />}
        {data?.length === 0 && (
          <Box>
            There are no applications.{' '}
            {may('create-application') && <RouteLink to="/applications">Create one</RouteLink>}
          </Box>
        )}
        {data && data.length > 0 && shown.length === 0 && <Box>No application fits.</Box>}
        {isMany && shown.length > 0 && <AccessTable accesses={shown} />}
        {!isMany && shown.map((access) => <AccessCard key={access.appId} access={access} />)}
      </SpaceBetween>
    </section>
  );
}
