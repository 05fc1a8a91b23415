import Alert from '@cloudscape-design/components/alert';
import type { ReactNode } from 'react';
import type { WriteName } from '../api/create-api.ts';
import { operationRoutes } from '../api/operation-routes.ts';
import { useOperator } from '../session/use-operator.ts';

export interface AllowedProps {
  /** The operation that the page is for; undefined for one that all operators may see. */
  readonly operation: WriteName | undefined;
  readonly children: ReactNode;
}

/** A page with a form, only for operators who may send it in at least one application; nothing until that is known. */
export function Allowed({ operation, children }: AllowedProps) {
  const { mayInAny, roles } = useOperator();
  if (operation === undefined || mayInAny(operation)) return children;
  if (roles === undefined) return null;
  const { role, path } = operationRoutes[operation];
  const where = path.includes('{appId}') ? 'at least one application' : 'all applications';
  return (
    <Alert type="info" header="You can't use this page">
      It changes users, which requires the {role} role for {where}.
    </Alert>
  );
}
