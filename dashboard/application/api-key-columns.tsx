import Box from '@cloudscape-design/components/box';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { TableProps } from '@cloudscape-design/components/table';
import type { KeyView } from '#shared/contract/api-key.ts';
import { nameOperator } from '#shared/contract/wording.ts';
import { ActionButton } from '../forms/action-button.tsx';
import type { KeyOwner } from '../keys/key-owner.ts';
import { isActive, KeyEnd, LastUse } from '../keys/key-status.tsx';
import { BreakableId } from '../lists/breakable-id.tsx';
import { LocalTime } from '../lists/local-time.tsx';
import { sortBy } from '../lists/sort-items.ts';

type Columns<Key> = readonly TableProps.ColumnDefinition<Key>[];

export interface KeyActions<Key extends KeyView<string>> {
  readonly ownerOf: (key: Key) => KeyOwner;
  readonly onLabel: (key: Key) => void;
  readonly onRotate: (key: Key) => void;
  readonly onRevoke: (key: Key) => void;
  /** Called when a key has expired. */
  readonly onEnd: () => void;
}

/** The columns of a list of keys, with actions; `more` columns follow the key. */
export function keyColumns<Key extends KeyView<string>>(
  actions: KeyActions<Key>,
  more: Columns<Key> = [],
): Columns<Key> {
  return [
    {
      id: 'key',
      header: 'Key',
      isRowHeader: true,
      minWidth: 180,
      ...sortBy<Key>(({ label, keyId }) => label ?? keyId),
      cell: (key) => <KeyName apiKey={key} />,
    },
    ...more,
    {
      id: 'end',
      header: 'Expiry',
      minWidth: 170,
      ...sortBy<Key>(endOf),
      cell: (key) => <KeyEnd apiKey={key} onEnd={actions.onEnd} />,
    },
    { id: 'scopes', header: 'Scopes', minWidth: 110, cell: ({ scopes }) => scopes.join(', ') },
    {
      id: 'used',
      header: 'Last used',
      minWidth: 125,
      ...sortBy<Key>(({ lastUsedOn }) => lastUsedOn && Date.parse(lastUsedOn)),
      cell: (key) => <LastUse apiKey={key} />,
    },
    {
      id: 'issued',
      header: 'Issued',
      minWidth: 170,
      ...sortBy<Key>(({ createdAt }) => Date.parse(createdAt)),
      cell: (key) => <Issue apiKey={key} />,
    },
    { id: 'actions', header: 'Actions', minWidth: 215, cell: (key) => <Actions apiKey={key} {...actions} /> },
  ];
}

/** In milliseconds since the epoch; `null` for a key that does not expire. */
function endOf({ revokedAt, expiresAt }: KeyView<string>): number | null {
  const end = revokedAt ?? expiresAt;
  return end === null ? null : Date.parse(end);
}

/** The label, if there is one, the key ID, and which key a rotation replaced with which. */
function KeyName({ apiKey: { keyId, label, replaces, replacedBy } }: { readonly apiKey: KeyView<string> }) {
  const [name, ...details] = [label, keyId].filter((text) => text !== null);
  const rotation = [replaces && `Replaces ${replaces}`, replacedBy && `Replaced by ${replacedBy}`].filter(isText);
  return (
    <>
      <div className="break">{name}</div>
      {[...details, ...rotation].map((line) => (
        <Box key={line} variant="small" display="block" color="text-body-secondary">
          <span className="break">{line}</span>
        </Box>
      ))}
    </>
  );
}

function isText(text: string | null): text is string {
  return text !== null && text !== '';
}

/** When the key was issued, and by whom if known. */
function Issue({ apiKey: { createdAt, issuedBy } }: { readonly apiKey: KeyView<string> }) {
  return (
    <>
      <LocalTime at={createdAt} />
      {issuedBy !== null && (
        <Box variant="small" display="block" color="text-body-secondary">
          <span title={issuedBy.id}>
            by <BreakableId id={nameOperator(issuedBy)} />
          </span>
        </Box>
      )}
    </>
  );
}

function Actions<Key extends KeyView<string>>(props: KeyActions<Key> & { readonly apiKey: Key }) {
  const { apiKey, ownerOf, onLabel, onRotate, onRevoke } = props;
  const { appId, operations } = ownerOf(apiKey);
  const name = apiKey.label ?? apiKey.keyId;
  const offered = [
    [operations.rotate, 'Rotate', onRotate],
    [operations.label, 'Label', onLabel],
    [operations.revoke, 'Revoke', onRevoke],
  ] as const;
  const shown = isActive(apiKey, Date.now()) ? offered : offered.filter(([, verb]) => verb === 'Label');
  return (
    <SpaceBetween direction="horizontal" size="s">
      {shown.map(([operation, verb, act]) => (
        <ActionButton
          key={operation}
          operation={operation}
          {...(appId !== undefined && { appId })}
          isDestructive={verb === 'Revoke'}
          variant="inline-link"
          ariaLabel={`${verb} ${name}`}
          onClick={() => act(apiKey)}
        >
          {verb}
        </ActionButton>
      ))}
    </SpaceBetween>
  );
}
