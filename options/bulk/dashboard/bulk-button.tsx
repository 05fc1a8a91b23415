import Button from '@cloudscape-design/components/button';
import { useNavigate } from 'react-router';
import type { ChangeUsersProps } from '#dashboard/options/option-pages.ts';
import { useOperator } from '#dashboard/session/use-operator.ts';
import { countOf } from '#shared/contract/wording.ts';

/** Opens the page for a bulk change, with the selected users. */
export function BulkButton({ users, action, appId, role, children, disabled = false }: ChangeUsersProps) {
  const navigate = useNavigate();
  const { mayInAny } = useOperator();
  if (!mayInAny('set-access-in-bulk', appId)) return null;
  const given = Object.entries({ action, app: appId, role }).filter(([, value]) => value !== undefined);
  const query = given.length === 0 ? '' : `?${new URLSearchParams(given as [string, string][])}`;
  const open = () => navigate(`/bulk${query}`, { state: { userIds: users.map(({ userId }) => userId) } });
  return (
    <Button disabled={disabled} disabledReason="Select users first." onClick={open}>
      {children ?? (users.length === 0 ? 'Bulk change…' : `Change ${countOf(users.length, 'user')}…`)}
    </Button>
  );
}
