import { registerApplication } from '../registration.ts';

/** Registers an application of another stack, issues its key and rotates it: the function of an `AccessApplication`. */
export const handler = registerApplication;
