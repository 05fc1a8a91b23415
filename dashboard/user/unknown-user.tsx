import Box from '@cloudscape-design/components/box';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { Suspense, useState } from 'react';
import { useNavigate } from 'react-router';
import { ActionButton } from '../forms/action-button.tsx';
import { lazyPart } from '../shell/lazy-part.tsx';
import { userPath } from '../shell/page-paths.ts';
import { RouteLink } from '../shell/route-link.tsx';

const CreateUserDialog = lazyPart(() => import('../users/create-user-dialog.tsx'));

export interface UnknownUserProps {
  readonly userId: string;
  /** Called when a user with this ID was created. */
  readonly onCreated: () => void;
}

/** For an ID without a user, whom it offers to create. */
export function UnknownUser({ userId, onCreated }: UnknownUserProps) {
  const [isCreating, setCreating] = useState(false);
  const navigate = useNavigate();
  return (
    <SpaceBetween size="m">
      <Header variant="h1">There is no such user</Header>
      <Box>
        No user has the ID <span className="break">{userId}</span>. IDs are case-sensitive.{' '}
        <RouteLink to={`/users?q=${encodeURIComponent(userId)}`}>Search for it in all users</RouteLink>
      </Box>
      <ActionButton operation="create-user" variant="primary" onClick={() => setCreating(true)}>
        Create this user
      </ActionButton>
      {isCreating && (
        <Suspense>
          <CreateUserDialog
            known={userId}
            onClose={() => setCreating(false)}
            onCreated={(created) => {
              setCreating(false);
              if (created === userId) onCreated();
              else navigate(userPath(created));
            }}
          />
        </Suspense>
      )}
    </SpaceBetween>
  );
}
