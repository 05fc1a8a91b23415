import { useApi } from '../api/use-api.ts';
import { TypedConfirmation } from '../forms/typed-confirmation.tsx';

export interface EraseUserDialogProps {
  readonly userId: string;
  readonly onClose: () => void;
  readonly onErased: () => void;
}

/** Erases a user with everything that is kept of them. */
export default function EraseUserDialog({ userId, onClose, onErased }: EraseUserDialogProps) {
  const api = useApi();
  const erase = async () => {
    // A deletion that ran out of time goes on with the same request.
    while (!(await api('delete-user', { path: { userId } })).complete);
    onErased();
  };
  return (
    <TypedConfirmation
      title={`Erase ${userId}`}
      verb="Erase user"
      wanted={userId}
      label={`Type ${userId}`}
      warning="The user, every access and role are erased. This cannot be undone. To keep the user out, make them inactive instead."
      act={erase}
      onClose={onClose}
    />
  );
}
