import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import ProgressBar from '@cloudscape-design/components/progress-bar';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { maxRoleApplications, maxRoleHolders } from '#client/management/roles-anywhere.ts';
import { countOf } from '#shared/contract/wording.ts';
import { ProblemAlert } from '../lists/problem-alert.tsx';
import type { useRolesAnywhere } from './use-roles-anywhere.ts';

/** How many applications were asked, with a button to stop, and why what is shown is not all. */
export function RoleSearchProgress({ found }: { readonly found: ReturnType<typeof useRolesAnywhere> }) {
  const { progress: { done, total } = { done: 0, total: 0 }, state, isCut, error, stop, again } = found;
  const read = `${done.toLocaleString('en')} of ${countOf(total, 'application')}`;
  if (state === 'running') {
    return (
      <SpaceBetween size="xs">
        <ProgressBar
          label="Asking each application"
          value={total === 0 ? 0 : Math.floor((done / total) * 100)}
          additionalInfo={total > 0 && read}
        />
        <Button onClick={stop}>Stop</Button>
      </SpaceBetween>
    );
  }
  if (state === 'failed') return <ProblemAlert error={error} retry={again} />;
  if (state === 'stopped') {
    return (
      <Alert type="warning" header="Not complete" action={<Button onClick={again}>Start again</Button>}>
        Stopped after {read}.
      </Alert>
    );
  }
  return isCut ? (
    <Alert type="warning" header="Not complete">
      At most {maxRoleApplications.toLocaleString('en')} applications and {maxRoleHolders.toLocaleString('en')} holders
      are read.
    </Alert>
  ) : null;
}
