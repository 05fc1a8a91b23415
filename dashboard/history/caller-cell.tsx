import Box from '@cloudscape-design/components/box';
import type { Change } from '#shared/contract/change.ts';
import { BreakableId } from '../lists/breakable-id.tsx';
import { describeCaller, identifyCaller } from './describe-caller.ts';
import type { Names } from './use-names.ts';

/** Who made a change, with the ID below if it is not in the name. */
export function CallerCell({ caller, names }: { readonly caller: Change['caller']; readonly names: Names }) {
  const [name, id] = [describeCaller(caller, names.appName), identifyCaller(caller)];
  return (
    <>
      <BreakableId id={name} />
      {!name.startsWith(`${id} (`) && (
        <Box variant="small" display="block">
          <BreakableId id={id} />
        </Box>
      )}
    </>
  );
}
