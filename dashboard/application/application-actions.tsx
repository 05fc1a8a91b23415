import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { Suspense, useState } from 'react';
import { useNavigate } from 'react-router';
import type { ApplicationView } from '#shared/contract/application.ts';
import { maxRequestsPerSecond } from '#shared/contract/application-fields.ts';
import { ActionButton } from '../forms/action-button.tsx';
import { Field } from '../forms/field.tsx';
import { FormDialog } from '../forms/form-dialog.tsx';
import { deletionWaitsFor, TypedConfirmation } from '../forms/typed-confirmation.tsx';
import { useWriter } from '../session/dashboard-context.ts';
import { lazyPart } from '../shell/lazy-part.tsx';
import { useNotices } from '../shell/notices.tsx';
import { useApplicationUpdate } from './use-application-update.ts';

const RequireReasonsDialog = lazyPart(() => import('./require-reasons-dialog.tsx'));

interface DialogProps {
  readonly application: ApplicationView;
  readonly onClose: () => void;
}

/** Actions on the application as a whole. */
export function ApplicationActions({ application }: { readonly application: ApplicationView }) {
  const [doing, setDoing] = useState<'rename' | 'limit' | 'reasons' | 'delete'>();
  const close = () => setDoing(undefined);
  return (
    <SpaceBetween direction="horizontal" size="xs">
      <ActionButton operation="update-application" appId={application.appId} onClick={() => setDoing('rename')}>
        Rename
      </ActionButton>
      <ActionButton operation="update-application" appId={application.appId} onClick={() => setDoing('limit')}>
        Limit requests
      </ActionButton>
      <ActionButton operation="update-application" appId={application.appId} onClick={() => setDoing('reasons')}>
        Require reasons
      </ActionButton>
      <ActionButton
        operation="delete-application"
        appId={application.appId}
        isDestructive
        onClick={() => setDoing('delete')}
      >
        Delete
      </ActionButton>
      {doing === 'rename' && <RenameDialog application={application} onClose={close} />}
      {doing === 'limit' && <LimitDialog application={application} onClose={close} />}
      {doing === 'reasons' && (
        <Suspense>
          <RequireReasonsDialog application={application} onClose={close} />
        </Suspense>
      )}
      {doing === 'delete' && <DeleteApplicationDialog application={application} onClose={close} />}
    </SpaceBetween>
  );
}

/** Renames an application; its ID stays the same. */
function RenameDialog({ application, onClose }: DialogProps) {
  const [name, setName] = useState(application.name);
  const { mutate, isPending, error } = useApplicationUpdate(application, onClose);
  return (
    <FormDialog
      title={`Rename ${application.name}`}
      verb="Rename"
      isPending={isPending}
      error={error}
      missing={name === application.name ? 'Enter another name.' : undefined}
      onSubmit={() => mutate({ name })}
      onClose={onClose}
    >
      <Field label="Name" pointer="#/name">
        <Input value={name} onChange={({ detail }) => setName(detail.value)} />
      </Field>
    </FormDialog>
  );
}

/** Sets or removes the request limit of an application: an empty field means no limit. */
function LimitDialog({ application, onClose }: DialogProps) {
  const { name, requestsPerSecond } = application;
  const [text, setText] = useState(String(requestsPerSecond ?? ''));
  const { mutate, isPending, error } = useApplicationUpdate(application, onClose);
  return (
    <FormDialog
      title={`Limit requests of ${name}`}
      verb="Save limit"
      isPending={isPending}
      error={error}
      onSubmit={() => mutate({ requestsPerSecond: text.trim() === '' ? null : Number(text) })}
      onClose={onClose}
    >
      <Field
        label="Requests per second"
        pointer="#/requestsPerSecond"
        description="The limit covers all requests of the application. Requests above it are rejected, which can keep users out."
        constraintText={`1–${maxRequestsPerSecond.toLocaleString('en')}, or empty for no limit`}
      >
        <Input value={text} inputMode="numeric" onChange={({ detail }) => setText(detail.value)} />
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
    show({ id: `deleted-${appId}`, type: 'success', content: `Deleted ${name}.`, seconds: 10 });
    navigate('/applications');
  };
  return (
    <TypedConfirmation
      title={`Delete ${name}`}
      verb="Delete application"
      wanted={appId}
      label={`Type ${appId} to confirm`}
      warning="Its API keys stop working immediately, and its roles and access settings are deleted. This can't be undone, and the ID can't be reused."
      waitsFor={deletionWaitsFor}
      act={remove}
      onClose={onClose}
    />
  );
}
