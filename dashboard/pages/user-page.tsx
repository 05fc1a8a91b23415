import BreadcrumbGroup from '@cloudscape-design/components/breadcrumb-group';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useCallback } from 'react';
import { useNavigate, useParams } from 'react-router';
import { useApi } from '../api/use-api.ts';
import { useLoaded } from '../api/use-loaded.ts';
import { ProblemAlert } from '../lists/problem-alert.tsx';
import { Waiting } from '../lists/waiting.tsx';
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
  const user = useLoaded(useCallback((signal) => api('get-user', { path: { userId }, signal }), [api, userId]));
  const accesses = useUserAccess(userId);
  const { value, problem, reload, replace } = user;
  const title = value?.displayName ?? userId;
  const description = [value?.displayName && userId, value?.email].filter(Boolean).join(' · ');
  const news = [value, ...(accesses.value ?? [])].map((one) => one?.version).join();
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
      <Header
        variant="h1"
        description={description}
        actions={value && <UserActions user={value} onChanged={(changed) => replace(() => changed)} />}
      >
        {title}
      </Header>
      {problem && <ProblemAlert problem={problem} retry={reload} />}
      {!value && !problem && <Waiting for="the user" />}
      {value && (
        <GlobalStatus
          user={value}
          reload={reload}
          onChanged={(changed) => {
            replace(() => changed);
            accesses.reload();
          }}
        />
      )}
      {value && <UserAccessList accesses={accesses} />}
      {value && <UserHistory userId={userId} news={news} />}
    </SpaceBetween>
  );
}
