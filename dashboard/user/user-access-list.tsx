import Box from '@cloudscape-design/components/box';
import Header from '@cloudscape-design/components/header';
import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import { ProblemAlert } from '../lists/problem-alert.tsx';
import { Waiting } from '../lists/waiting.tsx';
import { RouteLink } from '../shell/route-link.tsx';
import { AccessCard } from './access-card.tsx';
import type { UserAccesses } from './use-user-access.ts';

const manyApplications = 8;

/** All applications, with a switch each. */
export function UserAccessList({ accesses }: { readonly accesses: UserAccesses }) {
  const { value, problem, loading, reload, put } = accesses;
  const [wanted, setWanted] = useState('');
  const shown = (value ?? []).filter(({ appId, appName }) =>
    `${appId} ${appName}`.toLowerCase().includes(wanted.trim().toLowerCase()),
  );
  return (
    <section aria-labelledby="applications">
      <SpaceBetween size="s">
        <Header
          variant="h2"
          counter={value && `(${value.length})`}
          description="Each switch is for one application alone."
        >
          <span id="applications">Applications</span>
        </Header>
        {value && value.length > manyApplications && (
          <Input
            type="search"
            value={wanted}
            ariaLabel="Find an application"
            placeholder="Find an application"
            clearAriaLabel="Clear"
            onChange={({ detail }) => setWanted(detail.value)}
          />
        )}
        {loading && !value && <Waiting for="the applications" />}
        <ProblemAlert problem={problem} retry={reload} />
        {value?.length === 0 && (
          <Box>
            There are no applications. <RouteLink to="/applications">Create one</RouteLink>
          </Box>
        )}
        {shown.map((access) => (
          <AccessCard key={access.appId} access={access} put={put} reload={reload} />
        ))}
      </SpaceBetween>
    </section>
  );
}
