import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import type { TableProps } from '@cloudscape-design/components/table';
import type { KeyView } from '#shared/contract/api-key.ts';
import { ActionButton } from '../forms/action-button.tsx';
import { Countdown } from '../lists/countdown.tsx';
import { LocalTime } from '../lists/local-time.tsx';

type Columns = readonly TableProps.ColumnDefinition<KeyView>[];

export interface KeyActions {
  readonly appId: string;
  readonly onRotate: (key: KeyView) => void;
  readonly onRevoke: (key: KeyView) => void;
  /** Called when a key has expired. */
  readonly onEnd: () => void;
}

/** The keys of an application, with actions for active keys. */
export function keyColumns({ appId, onRotate, onRevoke, onEnd }: KeyActions): Columns {
  return [
    {
      id: 'key',
      header: 'Key id',
      isRowHeader: true,
      minWidth: 160,
      cell: ({ keyId }) => <span className="break">{keyId}</span>,
    },
    { id: 'state', header: 'State', minWidth: 160, cell: (key) => <KeyState apiKey={key} onEnd={onEnd} /> },
    { id: 'scopes', header: 'Scopes', minWidth: 110, cell: ({ scopes }) => scopes.join(', ') },
    { id: 'used', header: 'Last used', minWidth: 100, cell: ({ lastUsedOn }) => lastUsedOn ?? 'Never' },
    { id: 'created', header: 'Created', minWidth: 120, cell: ({ createdAt }) => <LocalTime at={createdAt} /> },
    {
      id: 'actions',
      header: 'Actions',
      minWidth: 120,
      cell: (key) =>
        isActive(key, Date.now()) ? (
          <SpaceBetween direction="horizontal" size="s">
            <ActionButton
              operation="rotate-key"
              appId={appId}
              variant="inline-link"
              ariaLabel={`Rotate ${key.keyId}`}
              onClick={() => onRotate(key)}
            >
              Rotate
            </ActionButton>
            <ActionButton
              operation="revoke-key"
              appId={appId}
              variant="inline-link"
              ariaLabel={`Revoke ${key.keyId}`}
              onClick={() => onRevoke(key)}
            >
              Revoke
            </ActionButton>
          </SpaceBetween>
        ) : (
          '–'
        ),
    },
  ];
}

/** Whether a key is accepted now. */
function isActive({ revokedAt, expiresAt }: KeyView, now: number): boolean {
  return revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > now);
}

/** Whether a key is active, and until when. */
function KeyState({ apiKey, onEnd }: { readonly apiKey: KeyView; readonly onEnd: () => void }) {
  const { revokedAt, expiresAt } = apiKey;
  if (revokedAt !== null) {
    return (
      <StatusIndicator type="stopped">
        Revoked <LocalTime at={revokedAt} />
      </StatusIndicator>
    );
  }
  if (expiresAt === null) return <StatusIndicator type="success">Active, no expiry</StatusIndicator>;
  if (!isActive(apiKey, Date.now())) {
    return (
      <StatusIndicator type="stopped">
        Expired <LocalTime at={expiresAt} />
      </StatusIndicator>
    );
  }
  return (
    <StatusIndicator type="pending">
      Expires <LocalTime at={expiresAt} /> (<Countdown until={expiresAt} onEnd={onEnd} /> left)
    </StatusIndicator>
  );
}
