import Box from '@cloudscape-design/components/box';
import { userPath } from '../shell/page-paths.ts';
import { RouteLink } from '../shell/route-link.tsx';

export interface UserCellProps {
  readonly userId: string;
  readonly displayName?: string | null | undefined;
  /** Default: not shown, as in a list with a column for it. */
  readonly email?: string | null | undefined;
}

/** A user in a list: the name as a link, with the ID and the e-mail address below; without a name, the ID is the link. */
export function UserCell({ userId, displayName, email }: UserCellProps) {
  return (
    <div className="break">
      <RouteLink to={userPath(userId)}>{displayName ?? userId}</RouteLink>
      {[displayName && userId, email].filter(Boolean).map((line) => (
        <Box key={line} variant="small" display="block">
          {line}
        </Box>
      ))}
    </div>
  );
}
