import Input from '@cloudscape-design/components/input';
import { Field } from './field.tsx';

interface TextProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** The name by which operators recognize a resource, such as an application. */
export function NameField({ value, onChange }: TextProps) {
  return (
    <Field label="Name" description="Shown to operators." pointer="#/name">
      <Input value={value} onChange={({ detail }) => onChange(detail.value)} />
    </Field>
  );
}

export interface IdFieldProps extends TextProps {
  readonly label: string;
  readonly description: string;
  /** Where the request has it, such as `#/appId`. */
  readonly pointer: `#/${string}`;
}

/** The ID of a new resource, such as an application. */
export function IdField({ label, description, pointer, value, onChange }: IdFieldProps) {
  return (
    <Field
      label={label}
      description={description}
      constraintText="2–40 lower-case letters, digits or hyphens, starting with a letter"
      pointer={pointer}
    >
      <Input value={value} onChange={({ detail }) => onChange(detail.value.trim())} />
    </Field>
  );
}
