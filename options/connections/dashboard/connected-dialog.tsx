import { OnceDialog } from '#dashboard/forms/once-dialog.tsx';
import type { ConnectionView } from '../contract/connection.ts';
import type { ConnectionSetup } from './connection-setups.ts';
import { SetupParts } from './directory-tabs.tsx';
import { GatewaySetup } from './gateway-setup.tsx';

/** A connection that was just created, with its first token. */
export interface Connected {
  readonly connection: ConnectionView;
  readonly setup: ConnectionSetup;
  readonly token: string;
}

/** The last step of a new connection: its token, once, and what to enter with it. */
export function ConnectedDialog({
  connected,
  onClose,
}: {
  readonly connected: Connected;
  readonly onClose: () => void;
}) {
  const { connection, setup, token } = connected;
  return (
    <OnceDialog
      title={`Connect ${connection.name}`}
      word="token"
      secret={token}
      hint="Enter it below. It expires in 90 days, unless you rotate it."
      below={
        setup.purpose === undefined ? (
          <SetupParts connection={connection} token={token} product={setup.id} />
        ) : (
          <GatewaySetup purpose={setup.purpose} applications={connection.applications} token={token} />
        )
      }
      onClose={onClose}
    />
  );
}
