import type { OptionPages, ToDos } from '#dashboard/options/option-pages.ts';
import { type StoppedWebhook, stoppedMember } from '../contract/stopped-webhooks.ts';
import { webhookPath } from './webhook-paths.ts';

const stoppedToDos: ToDos<readonly StoppedWebhook[]> = {
  member: stoppedMember,
  of: (stopped) =>
    stopped.map(({ appId, name, webhookId }) => ({
      id: `${appId} ${webhookId}`,
      to: webhookPath(appId, webhookId),
      label: (
        <>
          The webhook <strong>{webhookId}</strong> of <span className="break">{name}</span> has stopped
        </>
      ),
    })),
};

/** Webhooks in the dashboard: a tab of their application, a page for each, and those that have stopped on the overview. */
export const webhookPages: OptionPages = {
  routes: [{ path: '/applications/:appId/webhooks/:webhookId', lazy: () => import('./webhook-page.tsx') }],
  applicationTabs: [{ id: 'webhooks', label: 'Webhooks', lazy: () => import('./webhooks-tab.tsx') }],
  toDos: stoppedToDos,
  changeSubject: ({ webhookId }) => webhookId,
  scopes: {
    'webhooks:write': "Set up the application's webhooks, and so send its changes to any public address",
  },
};
