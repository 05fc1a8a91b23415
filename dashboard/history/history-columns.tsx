import type { TableProps } from '@cloudscape-design/components/table';
import type { Change } from '#shared/contract/change.ts';
import { LocalTime } from '../lists/local-time.tsx';
import { RouteLink, userPath } from '../shell/route-link.tsx';
import { ChangeDetails } from './change-details.tsx';
import { describeCaller, identifyCaller } from './describe-change.ts';

type Columns = readonly TableProps.ColumnDefinition<Change>[];

const when: Columns[number] = { id: 'when', header: 'When', minWidth: 120, cell: ({ at }) => <LocalTime at={at} /> };
const rest: Columns = [
  {
    id: 'who',
    header: 'Who',
    minWidth: 130,
    cell: ({ caller }) => <span title={identifyCaller(caller)}>{describeCaller(caller)}</span>,
  },
  { id: 'why', header: 'Reason', minWidth: 120, cell: ({ reason }) => reason ?? '–' },
];

/** The history of a user. */
export const userChangeColumns: Columns = [
  when,
  {
    id: 'what',
    header: 'What',
    minWidth: 180,
    isRowHeader: true,
    cell: (change) => <ChangeDetails change={change} within="user" />,
  },
  ...rest,
];

/** The history of an application, with a column for the user. */
export const applicationChangeColumns: Columns = [
  when,
  {
    id: 'user',
    header: 'User',
    minWidth: 110,
    cell: ({ userId }) => (userId === undefined ? '–' : <RouteLink to={userPath(userId)}>{userId}</RouteLink>),
  },
  {
    id: 'what',
    header: 'What',
    minWidth: 180,
    isRowHeader: true,
    cell: (change) => <ChangeDetails change={change} within="application" />,
  },
  ...rest,
];
