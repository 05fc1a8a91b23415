import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { hasCode } from '../api/problem-error.ts';
import { queryKeys } from '../api/queries.ts';
import { QueryStatus } from '../lists/query-status.tsx';
import { useApi } from '../session/dashboard-context.ts';
import { Breadcrumbs } from '../shell/breadcrumbs.tsx';
import { usePageTitle } from '../shell/frame.tsx';
import { InactiveAlert } from '../user/global-status.tsx';
import { UnknownUser } from '../user/unknown-user.tsx';
import { useUserAccess } from '../user/use-user-access.ts';
import { UserAccessList } from '../user/user-access-list.tsx';
import { UserHead } from '../user/user-head.tsx';
import { UserHistory } from '../user/user-history.tsx';
import { UserSections } from '../user/user-sections.tsx';

/** One user: who it is, with the global status, access to each application, and history. */
export default function UserPage() {
  const { userId = '' } = useParams();
  const api = useApi();
  const queryClient = useQueryClient();
  const query = useQuery({
    queryKey: queryKeys.user(userId),
    queryFn: ({ signal }) => api('get-user', { path: { userId }, signal }),
  });
  const accesses = useUserAccess(userId);
  const { data: user } = query;
  const isUnknown = user === undefined && hasCode(query.error, 'user_not_found');
  usePageTitle(user?.displayName ?? userId);
  const readAgain = () => void queryClient.invalidateQueries({ queryKey: queryKeys.user(userId) });
  return (
    <SpaceBetween size="l">
      <Breadcrumbs list={{ text: 'Users', href: '/users' }} current={userId} />
      {isUnknown && <UnknownUser userId={userId} onCreated={readAgain} />}
      {user ? <UserHead user={user} /> : !isUnknown && <Header variant="h1">{userId}</Header>}
      {!query.isSuccess && !isUnknown && <QueryStatus query={query} of="the user" />}
      {user && <InactiveAlert user={user} />}
      {user && (
        <div className="beside">
          <SpaceBetween size="l">
            <UserAccessList user={user} accesses={accesses} />
            {!accesses.isPending && <UserSections user={user} />}
          </SpaceBetween>
          <UserHistory user={user} accesses={accesses.data ?? []} />
        </div>
      )}
    </SpaceBetween>
  );
}
