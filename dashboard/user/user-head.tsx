import Box from '@cloudscape-design/components/box';
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard';
import Header from '@cloudscape-design/components/header';
import type { ReadUserView } from '#shared/contract/user.ts';
import { GlobalStatus } from './global-status.tsx';
import { UserActions } from './user-actions.tsx';

/** Who a user is, the global status and the actions; on a narrow screen, the actions are last. */
export function UserHead({ user }: { readonly user: ReadUserView }) {
  const { userId, displayName, email } = user;
  return (
    <div className="user-head">
      <div className="user-facts">
        <Header variant="h1">{displayName ?? userId}</Header>
        <Box color="text-body-secondary">
          <CopyToClipboard
            variant="inline"
            textToCopy={userId}
            textToDisplay={userId}
            copyButtonAriaLabel="Copy the user ID"
            copySuccessText="Copied"
            copyErrorText="Copying failed. Select the text instead."
          />
          {email !== null && <span> · {email}</span>}
        </Box>
        <GlobalStatus user={user} />
      </div>
      <UserActions user={user} />
    </div>
  );
}
