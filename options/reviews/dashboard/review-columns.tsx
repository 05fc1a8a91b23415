import Box from '@cloudscape-design/components/box';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { TableProps } from '@cloudscape-design/components/table';
import { LocalTime } from '#dashboard/lists/local-time.tsx';
import { sortBy } from '#dashboard/lists/sort-items.ts';
import { UserCell } from '#dashboard/lists/user-cell.tsx';
import { UserStatus } from '#dashboard/user/access-status.tsx';
import { CallerName } from '#dashboard/user/setting-note.tsx';
import { accessLabels } from '#dashboard/words.ts';
import type { ApplicationView } from '#shared/contract/application.ts';
import type { ReviewedUser } from '../contract/access-review.ts';

/** Who holds what: the access and who set it, each role with who assigned it, and the last change. */
export function reviewColumns({
  rolloutPercent,
}: ApplicationView): readonly TableProps.ColumnDefinition<ReviewedUser>[] {
  return [
    {
      id: 'user',
      header: 'User',
      isRowHeader: true,
      minWidth: 200,
      ...sortBy<ReviewedUser>(({ displayName, userId }) => displayName ?? userId),
      cell: ({ userId, displayName, email }) => <UserCell userId={userId} displayName={displayName} email={email} />,
    },
    {
      id: 'status',
      header: 'Status',
      minWidth: 180,
      ...sortBy<ReviewedUser>(({ effectiveStatus }) => accessLabels[effectiveStatus]),
      cell: (access) => <UserStatus access={access} rolloutPercent={rolloutPercent} />,
    },
    {
      id: 'roles',
      header: 'Roles',
      minWidth: 190,
      cell: ({ roles }) => (roles.length === 0 ? '–' : <HeldRoles roles={roles} />),
    },
    {
      id: 'changed',
      header: 'Last change',
      minWidth: 150,
      ...sortBy<ReviewedUser>(({ lastChange }) => lastChange && Date.parse(lastChange.at)),
      cell: ({ lastChange }) => lastChange && <ChangedBy setting={lastChange} />,
    },
  ];
}

function HeldRoles({ roles }: Pick<ReviewedUser, 'roles'>) {
  return (
    <SpaceBetween size="xs">
      {roles.map(({ name, grantedAt, grantedBy, expiresAt }) => (
        <div key={name}>
          <div className="break">{name}</div>
          <Box variant="small" display="block">
            Since <LocalTime at={grantedAt} />, by <CallerName caller={grantedBy?.caller ?? null} />
          </Box>
          {expiresAt !== null && (
            <Box variant="small" display="block">
              Until <LocalTime at={expiresAt} />
            </Box>
          )}
        </div>
      ))}
    </SpaceBetween>
  );
}

/** When something was changed, and by whom. */
export function ChangedBy({ setting }: { readonly setting: NonNullable<ReviewedUser['lastChange']> }) {
  return (
    <>
      <LocalTime at={setting.at} />
      <Box variant="small" display="block">
        by <CallerName caller={setting.caller} />
      </Box>
    </>
  );
}
