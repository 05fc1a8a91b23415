/** How a client of the login proves who it is: not at all, as a browser or an installed program, or by a secret. */
export const clientTypes = ['public', 'confidential'] as const;
export type ClientType = (typeof clientTypes)[number];

/**
 * The states of an account: `none`; `pending` until the provider has it; `invited` until the person has chosen a password;
 * `confirmed`; `disabled` while the user is inactive.
 */
export const accountStates = ['none', 'pending', 'invited', 'confirmed', 'disabled'] as const;
export type AccountState = (typeof accountStates)[number];
