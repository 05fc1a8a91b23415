import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { type ApplicationView, maxRequestsPerSecond } from '#shared/contract/application.ts';
import type { ApiInput } from '../api/create-api.ts';
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
  const [doing, setDoing] = useState<'rename' | 'limit' | 'delete'>();
  const close = () => setDoing(undefined);
  return (
    <SpaceBetween direction="horizontal" size="xs">
      <ActionButton operation="update-application" appId={application.appId} onClick={() => setDoing('rename')}>
        Rename
      </ActionButton>
      <ActionButton operation="update-application" appId={application.appId} onClick={() => setDoing('limit')}>
        Limit requests
      </ActionButton>
      <ActionButton operation="delete-application" appId={application.appId} onClick={() => setDoing('delete')}>
        Delete
      </ActionButton>
      {doing === 'rename' && <RenameDialog application={application} onClose={close} />}
      {doing === 'limit' && <LimitDialog application={application} onClose={close} />}
      {doing === 'delete' && <DeleteApplicationDialog application={application} onClose={close} />}
    </SpaceBetween>
  );
}

/** Renames an application; its id stays. */
function RenameDialog({ application, onClose }: DialogProps) {
  const { appId } = application;
  const [name, setName] = useState(application.name);
  const { mutate, isPending, error } = useUpdate(application, onClose);
  return (
    <FormDialog
      title={`Rename ${appId}`}
      verb="Rename"
      isPending={isPending}
      error={error}
      onSubmit={() => mutate({ name })}
      onClose={onClose}
    >
      <Field label="Name" pointer="#/name">
        <Input value={name} onChange={({ detail }) => setName(detail.value)} />
      </Field>
    </FormDialog>
  );
}

/** Limits what an application may send a second, or no longer: an empty field is no limit. */
function LimitDialog({ application, onClose }: DialogProps) {
  const { appId, requestsPerSecond } = application;
  const [text, setText] = useState(String(requestsPerSecond ?? ''));
  const { mutate, isPending, error } = useUpdate(application, onClose);
  return (
    <FormDialog
      title={`Limit the requests of ${appId}`}
      verb="Save"
      isPending={isPending}
      error={error}
      onSubmit={() => mutate({ requestsPerSecond: text.trim() === '' ? null : Number(text) })}
      onClose={onClose}
    >
      <Field
        label="Requests a second"
        pointer="#/requestsPerSecond"
        description="All its requests together. Above the limit, a part of them is refused, and users may not be let in."
        constraintText={`1 to ${maxRequestsPerSecond}; empty is no limit`}
      >
        <Input value={text} inputMode="numeric" onChange={({ detail }) => setText(detail.value)} />
      </Field>
    </FormDialog>
  );
}

/** Changes the version that is shown; where that is outdated, the application is read again. */
function useUpdate({ appId, version }: ApplicationView, onDone: () => void) {
  const write = useWriter();
  const queryClient = useQueryClient();
  const queryKey = queryKeys.application(appId);
  return useMutation({
    mutationFn: (body: NonNullable<ApiInput<'update-application'>['body']>) =>
      write('update-application', { path: { appId }, body, ifMatch: version }),
    onSuccess: (changed) => {
      queryClient.setQueryData(queryKey, changed);
      onDone();
    },
    onError: (failure) => {
      if (hasCode(failure, 'version_mismatch')) void queryClient.invalidateQueries({ queryKey, exact: true });
    },
  });
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
