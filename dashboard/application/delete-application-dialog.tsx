import { useApi } from '../api/use-api.ts';
import { TypedConfirmation } from '../forms/typed-confirmation.tsx';

export interface DeleteApplicationDialogProps {
  readonly appId: string;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

/** Deletes an application with its keys, its roles and what users have in it. */
export default function DeleteApplicationDialog({ appId, onClose, onDeleted }: DeleteApplicationDialogProps) {
  const api = useApi();
  const remove = async () => {
    // A deletion that ran out of time goes on with the same request.
    while (!(await api('delete-application', { path: { appId }, query: { force: 'true' } })).complete);
    onDeleted();
  };
  return (
    <TypedConfirmation
      title={`Delete ${appId}`}
      verb="Delete application"
      wanted={appId}
      label={`Type ${appId}`}
      warning="Its keys stop at once; its roles and what users have in it are erased. This cannot be undone, and the id is never given again."
      act={remove}
      onClose={onClose}
    />
  );
}
