import * as options from '#options/connection-parts.ts';
import type { ConnectionPart } from './connection-part.ts';

const parts: readonly ConnectionPart[] = Object.values(options);

/** What options keep of each connection of this kind. */
export const partsOfKind = (kind: unknown): readonly ConnectionPart[] => parts.filter((part) => part.kind === kind);
