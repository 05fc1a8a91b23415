import * as extensions from '#options/extensions.ts';
import { membersOf } from '#shared/contract/members-of-options.ts';
import type { ApplicationPart } from './application-part.ts';

/** What the options keep of each application. */
export const registeredParts: readonly ApplicationPart[] = membersOf(extensions, 'part');
