import type { TableProps } from '@cloudscape-design/components/table';
import type { Change } from '#shared/contract/change.ts';
import { LocalTime } from '../lists/local-time.tsx';
import { applicationPath, RouteLink, userPath } from '../shell/route-link.tsx';
import { ChangeDetails } from './change-details.tsx';
import { describeCaller, identifyCaller } from './describe-caller.ts';

type Columns = readonly TableProps.ColumnDefinition<Change>[];

const when: Columns[number] = { id: 'when', header: 'When', minWidth: 120, cell: ({ at }) => <LocalTime at={at} /> };
const rest: Columns = [
  {
    id: 'who',
    header: 'Changed by',
    minWidth: 130,
    cell: ({ caller }) => (
      <div className="break" title={identifyCaller(caller)}>
        {describeCaller(caller)}
      </div>
    ),
  },
  {
    id: 'why',
    header: 'Reason',
    minWidth: 120,
    cell: ({ reason, ticket }) => <div className="break">{[reason, ticket].filter(Boolean).join(' · ') || '–'}</div>,
  },
];

const user: Columns[number] = {
  id: 'user',
  header: 'User',
  minWidth: 110,
  cell: ({ userId, action }) => {
    if (userId === undefined) return '–';
    // The change deleted the user, so there is no page to link to.
    const isGone = action === 'user.deleted';
    return <div className="break">{isGone ? userId : <RouteLink to={userPath(userId)}>{userId}</RouteLink>}</div>;
  },
};
const application: Columns[number] = {
  id: 'application',
  header: 'Application',
  minWidth: 110,
  cell: ({ appId }) => (appId === undefined ? '–' : <RouteLink to={applicationPath(appId)}>{appId}</RouteLink>),
};
const what: Columns[number] = {
  id: 'what',
  header: 'Change',
  minWidth: 180,
  isRowHeader: true,
  cell: (change) => <ChangeDetails change={change} within="application" />,
};

/** The history of an application, with a column for the user. */
export const applicationChangeColumns: Columns = [when, user, what, ...rest];

/** The global history, with columns for the user and the application. */
export const allChangeColumns: Columns = [when, what, user, application, ...rest];
