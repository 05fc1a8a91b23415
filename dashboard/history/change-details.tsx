import Box from '@cloudscape-design/components/box';
import type { Change } from '#shared/contract/change.ts';
import { describeAction, differences } from '#shared/contract/change-words.ts';
import { LocalTime, localTimeText } from '../lists/local-time.tsx';
import { bulkPath, RouteLink } from '../shell/route-link.tsx';
import { describeCaller } from './describe-caller.ts';

export interface ChangeDetailsProps {
  readonly change: Change;
  /** The kind of history; an application's history has a separate column for the user. */
  readonly within: 'user' | 'application';
}

/** The action, its subject, and each field before → after. */
export function ChangeDetails({ change, within }: ChangeDetailsProps) {
  const { appId, role, keyId, bulkId } = change;
  const subject = [within === 'user' && appId, role, keyId && `…${keyId.slice(-6)}`].filter(Boolean).join(' · ');
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
      {bulkId !== undefined && (
        <Box variant="small" display="block">
          <RouteLink to={bulkPath(bulkId, appId)}>Part of a bulk change</RouteLink>
        </Box>
      )}
    </div>
  );
}

/** One change outside a table, with caller, time and reason. */
export function ChangeEntry({ change }: { readonly change: Change }) {
  return (
    <div data-testid="meanwhile">
      <ChangeDetails change={change} within="user" />
      <Box variant="small" display="block">
        by {describeCaller(change.caller)}, <LocalTime at={change.at} />
        {change.reason !== null && <>. Reason: {change.reason}</>}
        {change.ticket !== undefined && <>. Ticket: {change.ticket}</>}
      </Box>
    </div>
  );
}
