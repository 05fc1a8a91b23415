import { Suspense } from 'react';
import { lazyPart } from '#dashboard/shell/lazy-part.tsx';
import { type PageTab, PageTabs } from '#dashboard/shell/page-tabs.tsx';
import * as options from '#options/connection-tabs.ts';
import type { ConnectionView } from '../contract/connection.ts';
import type { ConnectionTab, ConnectionTabProps } from './connection-tab.ts';
import { ConnectionTokens } from './connection-tokens.tsx';
import { DirectoryRequests } from './directory-requests.tsx';
import { DirectorySettings } from './directory-settings.tsx';

const optionTabs = Object.values<ConnectionTab>(options)
  .filter(({ kind }) => kind === 'scim')
  .map(({ id, label, lazy }) => ({ id, label, Content: lazyPart(lazy) }));

const ownTabs = [
  { id: 'tokens', label: 'Tokens' },
  { id: 'users', label: 'Users and groups' },
  { id: 'requests', label: 'Requests' },
] as const;

export const directoryTabs: readonly PageTab[] = [...optionTabs, ...ownTabs];

/** What the options say about a new directory and its first token. */
export function SetupParts(props: Omit<ConnectionTabProps, 'onOpenTokens'>) {
  return optionTabs.map(({ id, Content }) => (
    <Suspense key={id}>
      <Content {...props} onOpenTokens={() => undefined} />
    </Suspense>
  ));
}

export interface DirectoryTabsProps {
  readonly connection: ConnectionView;
  readonly tab: string;
  readonly onOpen: (tab: string) => void;
}

/** A connection of the kind `scim`: what to enter in the directory, its tokens, which roles its groups assign, and what it sent. */
export function DirectoryTabs({ connection, tab, onOpen }: DirectoryTabsProps) {
  const contents = {
    tokens: <ConnectionTokens connection={connection} />,
    users: <DirectorySettings connection={connection} />,
    requests: <DirectoryRequests connectionId={connection.connectionId} />,
  };
  const added = optionTabs.map(({ Content, ...section }) => ({
    ...section,
    content: <Content connection={connection} onOpenTokens={() => onOpen('tokens')} />,
  }));
  return (
    <PageTabs
      of={connection.name}
      tabs={[...added, ...ownTabs.map((section) => ({ ...section, content: contents[section.id] }))]}
      tab={tab}
      onOpen={onOpen}
    />
  );
}
