import { PageTabs } from '#dashboard/shell/page-tabs.tsx';
import type { ConnectionView } from '#shared/contract/connection.ts';
import { ConnectionTokens } from './connection-tokens.tsx';
import { DirectoryRequests } from './directory-requests.tsx';
import { DirectorySettings } from './directory-settings.tsx';
import { SetupGuides } from './setup-guides.tsx';

export const directoryTabs = [
  { id: 'setup', label: 'Set up' },
  { id: 'tokens', label: 'Tokens' },
  { id: 'users', label: 'Users and groups' },
  { id: 'requests', label: 'Requests' },
] as const;

export interface DirectoryTabsProps {
  readonly connection: ConnectionView;
  readonly tab: string;
  readonly onOpen: (tab: string) => void;
}

/** A connection of the kind `scim`: what to enter in the directory, its tokens, which roles its groups assign, and what it sent. */
export function DirectoryTabs({ connection, tab, onOpen }: DirectoryTabsProps) {
  const contents = {
    setup: <SetupGuides connection={connection} onOpenTokens={() => onOpen('tokens')} />,
    tokens: <ConnectionTokens connection={connection} />,
    users: <DirectorySettings connection={connection} />,
    requests: <DirectoryRequests connectionId={connection.connectionId} />,
  };
  return (
    <PageTabs
      of={connection.name}
      tabs={directoryTabs.map((section) => ({ ...section, content: contents[section.id] }))}
      tab={tab}
      onOpen={onOpen}
    />
  );
}
