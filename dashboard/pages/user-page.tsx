import BreadcrumbGroup from '@cloudscape-design/components/breadcrumb-group';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from 'react-router';
import { queryKeys } from '../api/queries.ts';
import { useApi } from '../api/use-api.ts';
import { QueryStatus } from '../lists/query-status.tsx';
import { usePageTitle } from '../shell/use-page-title.ts';
import { GlobalStatus } from '../user/global-status.tsx';
import { useUserAccess } from '../user/use-user-access.ts';
import { UserAccessList } from '../user/user-access-list.tsx';
import { UserActions } from '../user/user-actions.tsx';
import { UserHistory } from '../user/user-history.tsx';

/** Everything about one user: the switches first. */
export default function UserPage() {
  const { userId = '' } = useParams();
  usePageTitle(userId);
  const api = useApi();
  const navigate = useNavigate();
  const query = useQuery({
    queryKey: queryKeys.user(userId),
    queryFn: ({ signal }) => api('get-user', { path: { userId }, signal }),
  });
  const accesses = useUserAccess(userId);
  const { data: user } = query;
  const title = user?.displayName ?? userId;
  const description = [user?.displayName && userId, user?.email].filter(Boolean).join(' · ');
  return (
    <SpaceBetween size="l">
      <BreadcrumbGroup
        ariaLabel="Where this is"
        items={[
          { text: 'Users', href: '/users' },
          { text: userId, href: '#' },
        ]}
        onFollow={(event) => {
          event.preventDefault();
          if (event.detail.href !== '#') navigate(event.detail.href);
        }}
      />
      <Header variant="h1" description={description} actions={user && <UserActions user={user} />}>
        {title}
      </Header>
      {!query.isSuccess && <QueryStatus query={query} of="the user" />}
      {user && <GlobalStatus user={user} />}
      {user && <UserAccessList accesses={accesses} />}
      {user && <UserHistory userId={userId} />}
    </SpaceBetween>
  );
}
