import Box from '@cloudscape-design/components/box';
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

const manyApplications = 8;

/** All applications, with a switch each. */
export function UserAccessList({ accesses }: { readonly accesses: UseQueryResult<readonly UserAccessView[]> }) {
  const { data } = accesses;
  const { may, limit } = useOperator();
  const [wanted, setWanted] = useState('');
  const shown = (data ?? []).filter(({ appId, appName }) =>
    `${appId} ${appName}`.toLowerCase().includes(wanted.trim().toLowerCase()),
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
        {data && data.length > manyApplications && (
          <Input
            type="search"
            value={wanted}
            ariaLabel="Find an application"
            placeholder="Find an application"
            clearAriaLabel="Clear"
            onChange={({ detail }) => setWanted(detail.value)}
          />
        )}
        {!accesses.isSuccess && <QueryStatus query={accesses} of="the applications" />}
        {data?.length === 0 && (
          <Box>
            There are no applications.{' '}
            {may('create-application') && <RouteLink to="/applications">Create one</RouteLink>}
          </Box>
        )}
        {shown.map((access) => (
          <AccessCard key={access.appId} access={access} />
        ))}
      </SpaceBetween>
    </section>
  );
}
