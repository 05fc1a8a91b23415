import RadioGroup from '@cloudscape-design/components/radio-group';
import { Field, type FieldProps } from './field.tsx';

/** Something to choose first, because it decides what is entered then. */
export interface Setup {
  readonly id: string;
  readonly label: string;
  readonly description: string;
}

export interface SetupFieldProps<One extends Setup> extends FieldProps {
  /** What can be chosen. */
  readonly setups: readonly One[];
  readonly setup: One | undefined;
  readonly onChoose: (setup: One) => void;
}

/** Asks what is set up. */
export function SetupField<One extends Setup>({ setups, setup, onChoose, ...field }: SetupFieldProps<One>) {
  const items = setups.map(({ id: value, label, description }) => ({ value, label, description }));
  return (
    <Field {...field}>
      <RadioGroup
        value={setup?.id ?? null}
        items={items}
        onChange={({ detail }) => {
          const chosen = setups.find(({ id }) => id === detail.value);
          if (chosen !== undefined) onChoose(chosen);
        }}
      />
    </Field>
  );
}
