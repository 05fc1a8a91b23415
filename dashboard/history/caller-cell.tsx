import Popover from '@cloudscape-design/components/popover';
import type { Change } from '#shared/contract/change.ts';
import { BreakableId } from '../lists/breakable-id.tsx';
import { describeCaller, identifyCaller } from './describe-caller.ts';
import type { Names } from './use-names.ts';

/** Who made a change; an ID that is not in the name is shown on demand. */
export function CallerCell({ caller, names }: { readonly caller: Change['caller']; readonly names: Names }) {
  const [name, id] = [describeCaller(caller, names.appName), identifyCaller(caller)];
  if (name.startsWith(`${id} (`)) return <BreakableId id={name} />;
  return (
    <Popover content={<BreakableId id={id} />} header={name} dismissAriaLabel="Close" renderWithPortal>
      <BreakableId id={name} />
    </Popover>
  );
}
