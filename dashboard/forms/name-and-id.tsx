import Input from '@cloudscape-design/components/input';
import { Field } from './field.tsx';

interface TextProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** The name by which operators recognize an application or a connection. */
export function NameField({ value, onChange }: TextProps) {
  return (
    <Field label="Name" description="Shown to operators." pointer="#/name">
      <Input value={value} onChange={({ detail }) => onChange(detail.value)} />
    </Field>
  );
}

export interface IdFieldProps extends TextProps {
  readonly label: string;
  /** What contains the ID, such as `key IDs`. */
  readonly partOf: string;
  readonly pointer: '#/appId' | '#/connectionId';
}

/** The ID of a new application or connection. */
export function IdField({ label, partOf, pointer, value, onChange }: IdFieldProps) {
  return (
    <Field
      label={label}
      description={`Part of its ${partOf}. It can't be changed or reused later.`}
      constraintText="2–40 lower-case letters, digits or hyphens, starting with a letter"
      pointer={pointer}
    >
      <Input value={value} onChange={({ detail }) => onChange(detail.value.trim())} />
    </Field>
  );
}
