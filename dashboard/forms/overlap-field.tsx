import FormField from '@cloudscape-design/components/form-field';
import Select from '@cloudscape-design/components/select';

/** A day, as an ISO 8601 duration. */
export const usualOverlap = 'PT24H';

const overlaps = [
  { value: 'PT1H', label: '1 hour' },
  { value: usualOverlap, label: '1 day' },
  { value: 'P7D', label: '7 days' },
  { value: 'P30D', label: '30 days' },
] as const;

export interface OverlapFieldProps {
  /** An ISO 8601 duration. */
  readonly overlap: string;
  /** The words for no overlap. */
  readonly none: string;
  readonly onChange: (overlap: string) => void;
}

/** Asks how long the old secret remains valid after a rotation. */
export function OverlapField({ overlap, none, onChange }: OverlapFieldProps) {
  const options = [...overlaps, { value: 'PT0S', label: none }];
  return (
    <FormField label="Overlap">
      <Select
        options={options}
        selectedOption={options.find(({ value }) => value === overlap) ?? null}
        onChange={({ detail }) => onChange(detail.selectedOption.value ?? usualOverlap)}
      />
    </FormField>
  );
}
