import Button, { type ButtonProps } from '@cloudscape-design/components/button';
import type { WriteName } from '../api/create-api.ts';
import { useOperator } from '../session/use-operator.ts';

export interface ActionButtonProps extends ButtonProps {
  /** The operation that the button leads to. */
  readonly operation: WriteName;
  /** The application that it concerns, if it concerns one. */
  readonly appId?: string;
}

/** A button that is there only for operators who may do what it leads to. */
export function ActionButton({ operation, appId, ...button }: ActionButtonProps) {
  const { may } = useOperator();
  return may(operation, appId) ? <Button {...button} /> : null;
}
