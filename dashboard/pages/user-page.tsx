import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { queryKeys } from '../api/queries.ts';
import { QueryStatus } from '../lists/query-status.tsx';
import { useApi } from '../session/dashboard-context.ts';
import { Breadcrumbs } from '../shell/breadcrumbs.tsx';
import { usePageTitle } from '../shell/frame.tsx';
import { GlobalStatus } from '../user/global-status.tsx';
import { useUserAccess } from '../user/use-user-access.ts';
import { UserAccessList } from '../user/user-access-list.tsx';
import { UserActions } from '../user/user-actions.tsx';
import { UserHistory } from '../user/user-history.tsx';

/** One user: global status, access to each application, and history. */
export default function UserPage() {
  const { userId = '' } = useParams();
  const api = useApi();
  const query = useQuery({
    queryKey: queryKeys.user(userId),
    queryFn: ({ signal }) => api('get-user', { path: { userId }, signal }),
  });
  const accesses = useUserAccess(userId);
  const { data: user } = query;
  const title = user?.displayName ?? userId;
  usePageTitle(title);
  const description = [user?.displayName && userId, user?.email].filter(Boolean).join(' · ');
  return (
    <SpaceBetween size="l">
      <Breadcrumbs list={{ text: 'Users', href: '/users' }} current={userId} />
      <Header variant="h1" description={description} actions={user && <UserActions user={user} />}>
        {title}
      </Header>
      {!query.isSuccess && <QueryStatus query={query} of="the user" />}
      {user && <GlobalStatus user={user} />}
      {user && (
        <div className="beside">
          <UserAccessList user={user} accesses={accesses} />
          <UserHistory user={user} accesses={accesses.data ?? []} />
        </div>
      )}
    </SpaceBetween>
  );
}
