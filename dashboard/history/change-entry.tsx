import Box from '@cloudscape-design/components/box';
import type { Change } from '#shared/contract/change.ts';
import { describeAction, differences } from '#shared/contract/change-words.ts';
import { timeOfUlid } from '#shared/contract/ulid.ts';
import { BreakableId } from '../lists/breakable-id.tsx';
import { LocalTime } from '../lists/local-time.tsx';
import { localTimeText } from '../lists/local-time-text.ts';
import { registeredPages } from '../options/registered-pages.ts';
import { changePath } from '../shell/page-paths.ts';
import { RouteLink } from '../shell/route-link.tsx';
import { BulkLink } from './bulk-link.tsx';
import { describeCaller } from './describe-caller.ts';
import type { Names } from './use-names.ts';

export interface ChangeDetailsProps {
  readonly change: Change;
  readonly names: Names;
  /** The kind of history; an application's history has a separate column for the user. */
  readonly within: 'user' | 'application';
}

/** The action, its subject, each field before → after, and links to the change that it undid and to its bulk change. */
export function ChangeDetails({ change, names, within }: ChangeDetailsProps) {
  const { appId, role, keyId } = change;
  const app = within === 'user' && appId !== undefined && names.appName(appId);
  const ofOptions = registeredPages.map(({ changeSubject }) => changeSubject?.(change));
  const subject = [app, role, ...ofOptions, keyId && `…${keyId.slice(-6)}`].filter(Boolean).join(' · ');
  return (
    <div className="break">
      <Box variant="strong">{describeAction(change)}</Box>
      {subject && ' '}
      {subject && (
        <Box fontSize="body-m" fontWeight="normal" display="inline">
          {subject}
        </Box>
      )}
      {differences(change, localTimeText).map(({ name, before, after }) => (
        <Box key={name} variant="small" display="block">
          {name}: {before !== undefined && <>{before} → </>}
          {after ?? 'none'}
        </Box>
      ))}
      <Links change={change} />
    </div>
  );
}

function Links({ change: { appId, userId = '', undoOf, bulkId } }: Pick<ChangeDetailsProps, 'change'>) {
  return (
    <>
      {undoOf !== undefined && (
        <Box variant="small" display="block">
          Undo of{' '}
          <RouteLink to={changePath(undoOf, userId)}>
            the change of <LocalTime at={new Date(timeOfUlid(undoOf)).toISOString()} withSeconds />
          </RouteLink>
        </Box>
      )}
      {bulkId !== undefined && (
        <Box variant="small" display="block">
          <BulkLink bulk={{ bulkId, appId }}>
            {undoOf === undefined ? 'Part of a bulk change' : 'Undoes part of a bulk change'}
          </BulkLink>
        </Box>
      )}
    </>
  );
}

/** One change outside a table, with caller, time and reason. */
export function ChangeEntry({ change, names }: Pick<ChangeDetailsProps, 'change' | 'names'>) {
  return (
    <div data-testid="meanwhile">
      <ChangeDetails change={change} names={names} within="user" />
      <Box variant="small" display="block">
        by <BreakableId id={describeCaller(change.caller, names.appName)} />, <LocalTime at={change.at} withSeconds />
        {change.reason !== null && <>. Reason: {change.reason}</>}
        {change.ticket !== undefined && <>. Ticket: {change.ticket}</>}
      </Box>
    </div>
  );
}
