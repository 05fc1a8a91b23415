import FormField from '@cloudscape-design/components/form-field';
import Textarea from '@cloudscape-design/components/textarea';
import { useContext, useEffect } from 'react';
import { fieldError } from '#dashboard/api/problem-error.ts';
import { FormErrors } from '#dashboard/forms/field.tsx';
import { linesOf } from './uri-lines.ts';

export interface UrisFieldProps {
  readonly label: string;
  readonly description: string;
  readonly placeholder: string;
  /** The member of the request that the field fills. */
  readonly member: 'redirectUris' | 'logoutUris';
  readonly text: string;
  /** The text that was sent last, of which the answer says what is wrong. */
  readonly sent: string | undefined;
  readonly onChange: (text: string) => void;
}

/** Asks for addresses, one a line, and shows what is wrong with which until the text changes. */
export function UrisField({ label, description, placeholder, member, text, sent, onChange }: UrisFieldProps) {
  const { error: answered, show } = useContext(FormErrors);
  const error = text === sent ? answered : null;
  const uris = linesOf(text);
  const list = `#/${member}`;
  useEffect(() => {
    const hides = [list, ...Array.from({ length: mostShown }, (_, at) => `${list}/${at}`)].map(show);
    return () => {
      for (const hide of hides) hide();
    };
  }, [list, show]);
  const wrong = uris.flatMap((uri, at) => {
    const words = fieldError(error, `${list}/${at}`);
    return words === undefined ? [] : [`${uri}: ${words.charAt(0).toLowerCase()}${words.slice(1)}`];
  });
  const errors = [fieldError(error, list), ...wrong].filter(Boolean);
  return (
    <FormField
      label={label}
      description={description}
      constraintText="One per line"
      errorText={errors.length === 0 ? undefined : <span className="break">{errors.join(' ')}</span>}
    >
      <Textarea
        value={text}
        rows={Math.max(2, Math.min(6, uris.length + 1))}
        spellcheck={false}
        placeholder={placeholder}
        onChange={({ detail }) => onChange(detail.value)}
      />
    </FormField>
  );
}

/** Of more addresses, only their number is wrong. */
const mostShown = 20;
