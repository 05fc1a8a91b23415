import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard';
import Header from '@cloudscape-design/components/header';
import type { UserAccessView } from '#shared/contract/access-lists.ts';
import type { ReadUserView } from '#shared/contract/user.ts';
import { useOperator } from '../session/use-operator.ts';
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

/** For an operator who can change neither the user nor the access to any application. */
export function ViewOnlyBanner({ accesses }: { readonly accesses: readonly UserAccessView[] }) {
  const { may, missingRole } = useOperator();
  if (missingRole('set-user-status') === undefined) return null;
  if (accesses.length === 0 || accesses.some(({ appId }) => may('set-user-access', appId))) return null;
  return <Alert type="info">You can see this user's access, but not change it.</Alert>;
}
