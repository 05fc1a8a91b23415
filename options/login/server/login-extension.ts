import { loginPart } from './application-login.ts';
import { loginFollower } from './login-follower.ts';

/** The login of an application is kept with it, and the provider is told of what changes. */
export const loginExtension = { part: loginPart, follower: loginFollower } as const;
