import type { ButtonProps } from '@cloudscape-design/components/button';

const inAllStates = (value: string) => ({ default: value, hover: value, active: value });

/** The look of a button that opens what deletes something. */
export const opensDeletion: ButtonProps.Style = {
  root: {
    color: inAllStates('var(--danger)'),
    borderColor: inAllStates('var(--danger)'),
    background: { hover: 'var(--danger-faint)', active: 'var(--danger-faint)' },
  },
};

/** The look of a button that deletes. */
export const deletes: ButtonProps.Style = {
  root: {
    color: inAllStates('var(--on-danger)'),
    background: inAllStates('var(--danger)'),
    borderColor: inAllStates('var(--danger)'),
  },
};
