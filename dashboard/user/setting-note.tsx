import Box from '@cloudscape-design/components/box';
import type { UserAccessView } from '#shared/contract/access-lists.ts';
import { describeCaller, identifyCaller } from '../history/describe-caller.ts';
import { useAppName } from '../history/use-names.ts';
import { LocalTime } from '../lists/local-time.tsx';

/** Who set a status, when, and why. */
export function SettingNote({ setting, withReason = false }: SettingNoteProps) {
  const appName = useAppName({ enabled: setting?.caller?.kind === 'api-key' });
  if (setting === null) return null;
  const { caller, at, reason, ticket } = setting;
  return (
    <Box variant="small" display="block" {...(withReason && { color: 'inherit' as const })}>
      Set by{' '}
      {caller === null ? (
        'an unknown caller'
      ) : (
        <span title={identifyCaller(caller)}>{describeCaller(caller, appName)}</span>
      )}
      , <LocalTime at={at} />
      {withReason && reason !== null && <>. Reason: {reason}</>}
      {ticket !== null && <>. Ticket: {ticket}</>}
    </Box>
  );
}

interface SettingNoteProps {
  readonly setting: UserAccessView['statusSetBy'];
  /** For places that do not show the reason elsewhere. */
  readonly withReason?: boolean;
}
