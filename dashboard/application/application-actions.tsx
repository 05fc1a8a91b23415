import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { ApplicationView } from '#shared/contract/application.ts';
import { hasCode } from '../api/problem-error.ts';
import { queryKeys } from '../api/queries.ts';
import { ActionButton } from '../forms/action-button.tsx';
import { Field } from '../forms/field.tsx';
import { FormDialog } from '../forms/form-dialog.tsx';
import { deletionWaitsFor, TypedConfirmation } from '../forms/typed-confirmation.tsx';
import { useWriter } from '../session/dashboard-context.ts';
import { useNotices } from '../shell/notices.tsx';

interface DialogProps {
  readonly application: ApplicationView;
  readonly onClose: () => void;
}

/** Actions on the application as a whole. */
export function ApplicationActions({ application }: { readonly application: ApplicationView }) {
  const [doing, setDoing] = useState<'rename' | 'delete'>();
  const close = () => setDoing(undefined);
  return (
    <SpaceBetween direction="horizontal" size="xs">
      <ActionButton operation="update-application" appId={application.appId} onClick={() => setDoing('rename')}>
        Rename
      </ActionButton>
      <ActionButton operation="delete-application" appId={application.appId} onClick={() => setDoing('delete')}>
        Delete
      </ActionButton>
      {doing === 'rename' && <RenameDialog application={application} onClose={close} />}
      {doing === 'delete' && <DeleteApplicationDialog application={application} onClose={close} />}
    </SpaceBetween>
  );
}

/** Renames an application; its id stays. */
function RenameDialog({ application, onClose }: DialogProps) {
  const { appId, version } = application;
  const write = useWriter();
  const queryClient = useQueryClient();
  const [name, setName] = useState(application.name);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => write('update-application', { path: { appId }, body: { name }, ifMatch: version }),
    onSuccess: (changed) => {
      queryClient.setQueryData(queryKeys.application(appId), changed);
      onClose();
    },
    onError: (failure) => {
      if (hasCode(failure, 'version_mismatch'))
        void queryClient.invalidateQueries({ queryKey: queryKeys.application(appId), exact: true });
    },
  });
  return (
    <FormDialog
      title={`Rename ${appId}`}
      verb="Rename"
      isPending={isPending}
      error={error}
      onSubmit={mutate}
      onClose={onClose}
    >
      <Field label="Name" pointer="#/name">
        <Input value={name} onChange={({ detail }) => setName(detail.value)} />
      </Field>
    </FormDialog>
  );
}

/** Deletes an application with its keys, roles and access settings. */
function DeleteApplicationDialog({ application: { appId, name }, onClose }: DialogProps) {
  const write = useWriter();
  const navigate = useNavigate();
  const { show } = useNotices();
  const remove = async () => {
    await write('delete-application', { path: { appId }, query: { force: 'true' } });
    show({ id: `deleted-${appId}`, type: 'success', content: `${name} was deleted.`, seconds: 10 });
    navigate('/applications');
  };
  return (
    <TypedConfirmation
      title={`Delete ${appId}`}
      verb="Delete application"
      wanted={appId}
      label={`Type ${appId}`}
      warning="Its API keys stop working immediately, and its roles and access settings are deleted. This cannot be undone, and the id cannot be reused."
      waitsFor={deletionWaitsFor}
      act={remove}
      onClose={onClose}
    />
  );
}
