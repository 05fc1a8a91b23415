import Box from '@cloudscape-design/components/box';
import type { UserAccessView } from '#shared/contract/access-lists.ts';
import type { Change } from '#shared/contract/change.ts';
import { describeCaller, identifyCaller } from '../history/describe-caller.ts';
import { useAppName } from '../history/use-names.ts';
import { BreakableId } from '../lists/breakable-id.tsx';
import { LocalTime } from '../lists/local-time.tsx';

/** Who set a status, when, and why. */
export function SettingNote({ setting, withReason = false, isInAlert = false }: SettingNoteProps) {
  if (setting === null) return null;
  const { caller, at, reason, ticket } = setting;
  return (
    <Box variant="small" display="block" {...(isInAlert && { color: 'inherit' as const })}>
      Set by <CallerName caller={caller} />, <LocalTime at={at} />
      {withReason && reason !== null && <>. Reason: {reason}</>}
      {ticket !== null && <>. Ticket: {ticket}</>}
    </Box>
  );
}

interface SettingNoteProps {
  readonly setting: UserAccessView['statusSetBy'];
  /** For places that do not show the reason elsewhere. */
  readonly withReason?: boolean;
  /** Whether it has the colour of the alert around it. */
  readonly isInAlert?: boolean;
}

/** Who made a change; unknown after the retention of the history. */
export function CallerName({ caller }: { readonly caller: Change['caller'] | null }) {
  const appName = useAppName({ enabled: caller?.kind === 'api-key' });
  if (caller === null) return 'an unknown caller';
  return (
    <span title={identifyCaller(caller)}>
      <BreakableId id={describeCaller(caller, appName)} />
    </span>
  );
}
