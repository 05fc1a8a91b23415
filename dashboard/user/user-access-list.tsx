import Box from '@cloudscape-design/components/box';
import Checkbox from '@cloudscape-design/components/checkbox';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import type { UserAccessView } from '#shared/contract/access-lists.ts';
import type { UserView } from '#shared/contract/user.ts';
import { SearchInput } from '../forms/search-input.tsx';
import { pageButtons, useLoadedPages } from '../lists/page-buttons.tsx';
import { QueryStatus } from '../lists/query-status.tsx';
import { useOperator } from '../session/use-operator.ts';
import { RouteLink } from '../shell/route-link.tsx';
import { AccessRows } from './access-rows.tsx';
import { InactiveUserBadge } from './access-status.tsx';
import { isAllowedBySetting } from './is-allowed-by-setting.ts';
import { isException, sortAccesses, summarizeAccesses } from './sort-accesses.ts';
import type { NamedAccess } from './use-user-access.ts';

const manyApplications = 8;

/** More rows, each with a switch and roles, take longer than a second to render. */
const pageSize = 100;

export interface UserAccessListProps {
  readonly user: UserView;
  readonly accesses: UseQueryResult<readonly UserAccessView[]>;
}

/** All applications, with a switch each: first those that are not as by default. */
export function UserAccessList({ user, accesses }: UserAccessListProps) {
  const { data } = accesses;
  const { may, restriction } = useOperator();
  return (
    <SpaceBetween size="s">
      <Header variant="h2" description={[data && summarizeAccesses(data), restriction].filter(Boolean).join(' · ')}>
        Applications
      </Header>
      {!accesses.isSuccess && <QueryStatus query={accesses} of="the applications" />}
      {data?.length === 0 && (
        <Box>
          No applications yet.{' '}
          {may('create-application') && <RouteLink to="/applications">Create an application</RouteLink>}
        </Box>
      )}
      {data && data.length > 0 && <LoadedAccesses key={user.userId} user={user} accesses={data} />}
    </SpaceBetween>
  );
}

interface LoadedAccessesProps {
  readonly user: UserView;
  readonly accesses: readonly UserAccessView[];
}

function LoadedAccesses({ user: { displayName, status }, accesses }: LoadedAccessesProps) {
  const { may } = useOperator();
  const [wanted, setWanted] = useState('');
  const [onlyBlocked, setOnlyBlocked] = useState(false);
  // Of the page as it was opened: a row must not move away when its switch is used.
  const [exceptions] = useState(() => new Set(accesses.filter(isException).map(({ appId }) => appId)));
  const named = accesses.map((access): NamedAccess => ({ ...access, displayName }));
  const matching = sortAccesses(named, exceptions).filter(
    (access) =>
      `${access.appId} ${access.appName}`.toLowerCase().includes(wanted.trim().toLowerCase()) &&
      !(onlyBlocked && isAllowedBySetting(access, Date.now())),
  );
  const [shown, at] = useLoadedPages(matching, pageSize);
  const [first, others] = [true, false].map((is) => shown.filter(({ appId }) => exceptions.has(appId) === is));
  const changeable = accesses.filter(({ appId }) => may('set-user-access', appId));
  return (
    <SpaceBetween size="s">
      {status === 'inactive' && <InactiveUserBadge />}
      {changeable.length > 0 && changeable.length < accesses.length && (
        <Box>You can change {changeable.map(({ appName }) => appName).join(', ')} only.</Box>
      )}
      {accesses.length > 1 && (
        <SpaceBetween size="s" direction="horizontal" alignItems="center">
          {accesses.length > manyApplications && (
            <SearchInput
              value={wanted}
              label="Find an application"
              placeholder="Find an application"
              onChange={setWanted}
            />
          )}
          <Checkbox checked={onlyBlocked} onChange={({ detail }) => setOnlyBlocked(detail.checked)}>
            Blocked only
          </Checkbox>
        </SpaceBetween>
      )}
      {shown.length === 0 && <Box>No applications match.</Box>}
      <Group title="With a setting or role" isTitled accesses={first} />
      <Group
        title={exceptions.size > 0 ? 'All others' : 'All applications'}
        isTitled={exceptions.size > 0}
        accesses={others}
      />
      {pageButtons(at, 'applications')}
    </SpaceBetween>
  );
}

interface GroupProps {
  readonly title: string;
  readonly isTitled: boolean;
  readonly accesses: readonly NamedAccess[] | undefined;
}

function Group({ title, isTitled, accesses = [] }: GroupProps) {
  if (accesses.length === 0) return null;
  return (
    <div>
      {isTitled && (
        <Box variant="h3" fontSize="body-s" color="text-body-secondary" padding="n">
          {title}
        </Box>
      )}
      <AccessRows accesses={accesses} label={title} />
    </div>
  );
}
