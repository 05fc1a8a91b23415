import Button from '@cloudscape-design/components/button';
import { useNavigate } from 'react-router';
import { countOf } from '#shared/contract/wording.ts';
import { useOperator } from '../session/use-operator.ts';
import type { BulkActionId } from './bulk-actions.ts';

export interface BulkButtonProps {
  /** The selected users; if empty, the page asks for users. */
  readonly users: readonly { readonly userId: string }[];
  readonly action?: BulkActionId;
  readonly appId?: string;
  readonly role?: string;
  /** Default: names the number of selected users. */
  readonly children?: string;
  readonly disabled?: boolean;
}

/** Opens the page for a bulk change, with the selected users. */
export function BulkButton({ users, action, appId, role, children, disabled = false }: BulkButtonProps) {
  const navigate = useNavigate();
  const { mayInAny } = useOperator();
  if (!mayInAny('set-access-in-bulk', appId)) return null;
  const given = Object.entries({ action, app: appId, role }).filter(([, value]) => value !== undefined);
  const query = given.length === 0 ? '' : `?${new URLSearchParams(given as [string, string][])}`;
  const open = () => navigate(`/bulk${query}`, { state: { userIds: users.map(({ userId }) => userId) } });
  return (
    <Button disabled={disabled} onClick={open}>
      {children ?? (users.length === 0 ? 'Bulk change…' : `Change ${countOf(users.length, 'user')}…`)}
    </Button>
  );
}
