import Button, { type ButtonProps } from '@cloudscape-design/components/button';
import type { WriteName } from '../api/create-api.ts';
import { useOperator } from '../session/use-operator.ts';

export interface ActionButtonProps extends ButtonProps {
  /** The operation behind the button. */
  readonly operation: WriteName;
  /** The application that the operation affects, if any. */
  readonly appId?: string;
}

/** A button that only operators with the permission for its operation see. */
export function ActionButton({ operation, appId, ...button }: ActionButtonProps) {
  const { may } = useOperator();
  return may(operation, appId) ? <Button {...button} /> : null;
}
