import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import type { ApplicationView } from '#shared/contract/application.ts';
import { fullRollout } from '#shared/contract/rollout.ts';
import { countOf } from '#shared/contract/wording.ts';
import { queryKeys } from '../api/queries.ts';
import { ApplicationActions } from '../application/application-actions.tsx';
import { QueryStatus } from '../lists/query-status.tsx';
import { registeredPages } from '../options/registered-pages.ts';
import { useApi } from '../session/dashboard-context.ts';
import { Breadcrumbs } from '../shell/breadcrumbs.tsx';
import { usePageTitle } from '../shell/frame.tsx';
import { lazyPart } from '../shell/lazy-part.tsx';
import { PageTabs, titleWithTab, usePageTab } from '../shell/page-tabs.tsx';

const tabs = [
  { id: 'keys', label: 'API keys', Content: lazyPart(() => import('../application/keys-tab.tsx')) },
  { id: 'roles', label: 'Roles', Content: lazyPart(() => import('../application/roles-tab.tsx')) },
  { id: 'users', label: 'Users', Content: lazyPart(() => import('../application/users-tab.tsx')) },
  { id: 'rollout', label: 'Rollout', Content: lazyPart(() => import('../application/rollout-tab.tsx')) },
  ...registeredPages
    .flatMap(({ applicationTabs = [] }) => applicationTabs)
    .map(({ lazy, ...tab }) => ({ ...tab, Content: lazyPart(lazy) })),
  { id: 'history', label: 'History', Content: lazyPart(() => import('../application/history-tab.tsx')) },
];

/** One application, in tabs that the URL names. */
export default function ApplicationPage() {
  const { appId = '' } = useParams();
  const api = useApi();
  const [tab, openTab] = usePageTab(tabs);
  const query = useQuery({
    queryKey: queryKeys.application(appId),
    queryFn: ({ signal }) => api('get-application', { path: { appId }, signal }),
  });
  const { data: application } = query;
  usePageTitle(titleWithTab(application?.name ?? appId, tabs, tab));
  return (
    <SpaceBetween size="l">
      <Breadcrumbs list={{ text: 'Applications', href: '/applications' }} current={appId} />
      <Header
        variant="h1"
        description={application && descriptionOf(application)}
        actions={application && <ApplicationActions application={application} />}
      >
        {application?.name ?? appId}
      </Header>
      {!query.isSuccess && <QueryStatus query={query} of="the application" />}
      {application && (
        <PageTabs
          of={application.name}
          tabs={tabs.map(({ Content, ...section }) => ({
            ...section,
            content: <Content appId={appId} application={application} />,
          }))}
          tab={tab}
          onOpen={openTab}
        />
      )}
    </SpaceBetween>
  );
}

/** The ID if the name differs, a rollout below 100%, the request limit if there is one, and who must give reasons. */
function descriptionOf({ appId, name, rolloutPercent, requestsPerSecond, requireReason }: ApplicationView): string {
  const rollout = rolloutPercent < fullRollout && `Rollout: ${rolloutPercent}%`;
  const limit = requestsPerSecond !== null && `Limit: ${countOf(requestsPerSecond, 'request')} per second`;
  const reasons = requireReason !== null && `Reasons required of ${requireReason === 'all' ? 'everyone' : 'operators'}`;
  return [name !== appId && appId, rollout, limit, reasons].filter(Boolean).join(' · ');
}
