import FormField from '@cloudscape-design/components/form-field';
import RadioGroup from '@cloudscape-design/components/radio-group';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { ChoiceField, optionOfApplication, RoleField } from '#dashboard/forms/choice-fields.tsx';
import { ExpiryField } from '#dashboard/forms/expiry-field.tsx';
import { ReasonFields } from '#dashboard/forms/reason-fields.tsx';
import { useAllApplications } from '#dashboard/forms/use-all-applications.ts';
import { useOperator } from '#dashboard/session/use-operator.ts';
import { bulkActions, partsOf } from './bulk-actions.ts';
import type { Draft } from './use-setting.ts';

export interface ActionFieldsProps {
  readonly draft: Draft;
  readonly onChange: (part: Partial<Draft>) => void;
}

/** Asks for the action, and only for the fields that it needs. */
export function ActionFields({ draft, onChange }: ActionFieldsProps) {
  const { may, needsReason } = useOperator();
  const { data: applications = [] } = useAllApplications();
  const parts = partsOf[draft.action];
  const application = parts.includes('app') && applications.find(({ appId }) => appId === draft.appId);
  const items = bulkActions
    .filter(({ id, operation }) => partsOf[id].includes('app') || may(operation))
    .map(({ id, label }) => ({ value: id, label }));
  return (
    <SpaceBetween size="m">
      <FormField label="Action">
        <RadioGroup
          value={draft.action}
          items={items}
          onChange={({ detail }) =>
            onChange({ action: items.find(({ value }) => value === detail.value)?.value ?? 'enable' })
          }
        />
      </FormField>
      {parts.includes('app') && <ApplicationField draft={draft} onChange={onChange} />}
      {parts.includes('role') && draft.appId !== '' && (
        <RoleField key={draft.appId} appId={draft.appId} role={draft.role} onChange={(role) => onChange({ role })} />
      )}
      <ReasonFields
        value={draft.why}
        onChange={(why) => onChange({ why })}
        isRequired={needsReason(application ? application.requireReason : null)}
      />
      {parts.includes('end') && (
        <ExpiryField
          label={draft.action === 'assign' ? 'Assign until' : 'Block until'}
          never={draft.action === 'assign' ? 'I remove it' : 'I unblock it'}
          pointer={draft.action === 'assign' ? '#/expiresAt' : '#/until'}
          expiry={draft.expiry}
          onChange={(expiry) => onChange({ expiry })}
        />
      )}
    </SpaceBetween>
  );
}

function ApplicationField({ draft, onChange }: ActionFieldsProps) {
  const { may } = useOperator();
  const list = useAllApplications();
  const options = (list.data ?? []).filter(({ appId }) => may('set-access-in-bulk', appId)).map(optionOfApplication);
  return (
    <ChoiceField
      label="Application"
      noun="applications"
      placeholder="Choose an application"
      options={options}
      value={draft.appId}
      list={list}
      onChange={(appId) => onChange({ appId })}
    />
  );
}
