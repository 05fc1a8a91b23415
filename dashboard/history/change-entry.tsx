import Box from '@cloudscape-design/components/box';
import type { Change } from '#shared/contract/change.ts';
import { Moment } from '../lists/moment.tsx';
import { ChangeDetails } from './change-details.tsx';
import { describeCaller } from './describe-change.ts';

/** One change outside a table: what, by whom, when, why. */
export function ChangeEntry({ change }: { readonly change: Change }) {
  return (
    <div data-testid="meanwhile">
      <ChangeDetails change={change} within="user" />
      <Box variant="small" display="block">
        by {describeCaller(change.caller)}, <Moment at={change.at} />
        {change.reason !== null && <>, reason: {change.reason}</>}
      </Box>
    </div>
  );
}
