import * as options from '#options/application-parts.ts';
import type { ApplicationPart } from './application-part.ts';

/** What the options keep of each application. */
export const registeredParts: readonly ApplicationPart[] = Object.values(options);
