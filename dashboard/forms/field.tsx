import FormField, { type FormFieldProps } from '@cloudscape-design/components/form-field';
import { createContext, useCallback, useContext, useEffect, useMemo, useState } from 'react';
import { fieldError, withoutFields } from '../api/problem-error.ts';

interface FormErrors {
  readonly error: Error | null;
  /** Registers a field that shows the errors about a part of the request; returns the function that unregisters it. */
  readonly show: (pointer: string) => () => void;
}

export const FormErrors = createContext<FormErrors>({ error: null, show: () => () => undefined });

export interface FieldProps extends FormFieldProps {
  /** The part of the request that the field fills, such as `#/email` or `path:userId`. */
  readonly pointer: string;
}

/** A field of a form. It shows the error about its part of the request, which the form's alert then omits. */
export function Field({ pointer, errorText, ...field }: FieldProps) {
  const { error, show } = useContext(FormErrors);
  useEffect(() => show(pointer), [pointer, show]);
  return <FormField {...field} errorText={errorText ?? fieldError(error, pointer)} />;
}

/** Shares the error of a form with its fields: the context for them, and the rest that no field shows. */
export function useFormErrors(error: Error | null): { readonly context: FormErrors; readonly rest: Error | null } {
  const [shown, setShown] = useState<readonly string[]>([]);
  const show = useCallback((pointer: string) => {
    setShown((all) => [...all, pointer]);
    return () => setShown((all) => all.toSpliced(all.indexOf(pointer), 1));
  }, []);
  const context = useMemo(() => ({ error, show }), [error, show]);
  const rest = useMemo(() => withoutFields(error, shown), [error, shown]);
  return { context, rest };
}
