import BreadcrumbGroup from '@cloudscape-design/components/breadcrumb-group';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Tabs from '@cloudscape-design/components/tabs';
import { lazy, Suspense, useCallback } from 'react';
import { useNavigate, useParams, useSearchParams } from 'react-router';
import { useApi } from '../api/use-api.ts';
import { useLoaded } from '../api/use-loaded.ts';
import { ApplicationActions } from '../application/application-actions.tsx';
import { ProblemAlert } from '../lists/problem-alert.tsx';
import { Waiting } from '../lists/waiting.tsx';
import { usePageTitle } from '../shell/use-page-title.ts';

const tabs = [
  { id: 'keys', label: 'API keys', Content: lazy(() => import('../application/keys-tab.tsx')) },
  { id: 'roles', label: 'Roles', Content: lazy(() => import('../application/roles-tab.tsx')) },
  { id: 'users', label: 'Users', Content: lazy(() => import('../application/users-tab.tsx')) },
  { id: 'history', label: 'History', Content: lazy(() => import('../application/history-tab.tsx')) },
] as const;

/** Everything about one application, in tabs that the address names. */
export default function ApplicationPage() {
  const { appId = '' } = useParams();
  const api = useApi();
  const navigate = useNavigate();
  const [search, setSearch] = useSearchParams();
  const { value, problem, reload, replace } = useLoaded(
    useCallback((signal) => api('get-application', { path: { appId }, signal }), [api, appId]),
  );
  usePageTitle(value?.name ?? appId);
  return (
    <SpaceBetween size="l">
      <BreadcrumbGroup
        ariaLabel="Where this is"
        items={[
          { text: 'Applications', href: '/applications' },
          { text: appId, href: '#' },
        ]}
        onFollow={(event) => {
          event.preventDefault();
          if (event.detail.href !== '#') navigate(event.detail.href);
        }}
      />
      <Header
        variant="h1"
        description={value?.name === appId ? undefined : appId}
        actions={value && <ApplicationActions application={value} onChanged={(changed) => replace(() => changed)} />}
      >
        {value?.name ?? appId}
      </Header>
      <ProblemAlert problem={problem} retry={reload} />
      {!value && !problem && <Waiting for="the application" />}
      {value && (
        <Tabs
          ariaLabel={`Parts of ${value.name}`}
          i18nStrings={{ scrollLeftAriaLabel: 'Earlier tabs', scrollRightAriaLabel: 'Further tabs' }}
          activeTabId={search.get('tab') ?? 'keys'}
          onChange={({ detail }) => setSearch({ tab: detail.activeTabId }, { replace: true })}
          tabs={tabs.map(({ id, label, Content }) => ({
            id,
            label,
            content: (
              <Suspense fallback={<Waiting for={label} />}>
                <Content appId={appId} />
              </Suspense>
            ),
          }))}
        />
      )}
    </SpaceBetween>
  );
}
