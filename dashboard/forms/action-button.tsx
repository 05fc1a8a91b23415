import Button, { type ButtonProps } from '@cloudscape-design/components/button';
import type { WriteName } from '../api/create-api.ts';
import { useOperator } from '../session/use-operator.ts';
import { opensDeletion } from './destructive-style.ts';

export interface ActionButtonProps extends ButtonProps {
  /** The operation behind the button. */
  readonly operation: WriteName;
  /** The application that the operation affects, if any. */
  readonly appId?: string;
  /** Whether it opens what deletes something: then it is red, and beside other buttons stands apart. Default: no. */
  readonly isDestructive?: boolean;
}

/** A button that only operators with the permission for its operation see. */
export function ActionButton({ operation, appId, isDestructive = false, ...button }: ActionButtonProps) {
  const { may } = useOperator();
  if (!may(operation, appId)) return null;
  if (!isDestructive) return <Button {...button} />;
  const red = <Button {...button} style={opensDeletion} />;
  return button.variant === 'inline-link' ? red : <span className="apart">{red}</span>;
}
