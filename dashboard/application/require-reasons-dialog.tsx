import RadioGroup from '@cloudscape-design/components/radio-group';
import { useState } from 'react';
import type { ApplicationView } from '#shared/contract/application.ts';
import { Field } from '../forms/field.tsx';
import { FormDialog } from '../forms/form-dialog.tsx';
import { useApplicationUpdate } from './use-application-update.ts';

const items = [
  { value: 'nobody', label: 'Nobody', description: 'Reasons are optional, unless the deployment requires them.' },
  { value: 'operators', label: 'Operators', description: 'In the dashboard, the command line and the Management API.' },
  { value: 'all', label: 'Operators and the application', description: 'Its own backend must send reasons too.' },
] as const;

export interface RequireReasonsDialogProps {
  readonly application: ApplicationView;
  readonly onClose: () => void;
}

/** Sets whose changes of access and roles in an application require a reason. */
export default function RequireReasonsDialog({ application, onClose }: RequireReasonsDialogProps) {
  const [chosen, choose] = useState<(typeof items)[number]['value']>(application.requireReason ?? 'nobody');
  const { mutate, isPending, error } = useApplicationUpdate(application, onClose);
  return (
    <FormDialog
      title={`Require reasons in ${application.name}`}
      verb="Save"
      isPending={isPending}
      error={error}
      onSubmit={() => mutate({ requireReason: chosen === 'nobody' ? null : chosen })}
      onClose={onClose}
    >
      <Field
        label="Who must give a reason"
        pointer="#/requireReason"
        description="For each change of access and roles in this application. A change without a reason is refused."
      >
        <RadioGroup
          value={chosen}
          items={items}
          onChange={({ detail }) => choose(items.find(({ value }) => value === detail.value)?.value ?? 'nobody')}
        />
      </Field>
    </FormDialog>
  );
}
