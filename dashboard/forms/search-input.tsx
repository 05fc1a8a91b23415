import Input from '@cloudscape-design/components/input';

export interface SearchInputProps {
  readonly value: string;
  readonly placeholder: string;
  /** Names the field, unless a form field around it does. */
  readonly label?: string;
  readonly onChange: (text: string) => void;
}

/** A field that searches or narrows what is shown. */
export function SearchInput({ value, placeholder, label, onChange }: SearchInputProps) {
  return (
    <Input
      type="search"
      value={value}
      placeholder={placeholder}
      clearAriaLabel="Clear"
      {...(label !== undefined && { ariaLabel: label })}
      onChange={({ detail }) => onChange(detail.value)}
    />
  );
}
