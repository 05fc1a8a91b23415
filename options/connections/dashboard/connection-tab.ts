import type { ComponentType } from 'react';
import type { ConnectionView } from '../contract/connection.ts';

/** A tab that an option adds to the page of each connection of a kind. */
export interface ConnectionTab {
  readonly kind: ConnectionView['kind'];
  /** Its name in the URL. */
  readonly id: string;
  readonly label: string;
  readonly lazy: () => Promise<{ readonly default: ComponentType<ConnectionTabProps> }>;
}

/** The connection whose page a tab is on. */
export interface ConnectionTabProps {
  readonly connection: ConnectionView;
  readonly onOpenTokens: () => void;
  /** The token that was just issued. */
  readonly token?: string;
  /** The product that was chosen for the connection. */
  readonly product?: string;
}
