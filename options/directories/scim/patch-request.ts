import { isObject } from './attribute.ts';
import type { JsonValue } from './directory.ts';
import { scimError } from './scim-error.ts';

const patchSchema = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const maxOperations = 1000;

/** One operation of a PATCH. */
export interface PatchOperation {
  readonly op: 'add' | 'replace' | 'remove';
  /** Undefined if the value names the attributes. */
  readonly path: string | undefined;
  /** Undefined if there is none. */
  readonly value: JsonValue | undefined;
}

/** The operations of a PATCH (RFC 7644 section 3.5.2), in any case, as Entra ID sends them; 400 for anything else. */
export function readPatch(body: object): readonly PatchOperation[] {
  const schemas = memberOf(body, 'schemas');
  if (schemas !== undefined && !(Array.isArray(schemas) && schemas.some(isPatchSchema))) {
    throw scimError('invalidSyntax', `schemas must have ${patchSchema}`);
  }
  const operations = memberOf(body, 'Operations');
  if (!Array.isArray(operations) || operations.length === 0) {
    throw scimError('invalidSyntax', 'Operations must be a list with at least one operation');
  }
  if (operations.length > maxOperations) {
    throw scimError('tooMany', `Operations must have at most ${maxOperations}`);
  }
  return operations.map(readOperation);
}

function isPatchSchema(schema: JsonValue): boolean {
  return typeof schema === 'string' && schema.toLowerCase() === patchSchema.toLowerCase();
}

function readOperation(operation: JsonValue): PatchOperation {
  if (!isObject(operation)) throw scimError('invalidSyntax', 'An operation must be an object');
  const name = memberOf(operation, 'op');
  const op = typeof name === 'string' ? name.toLowerCase() : undefined;
  if (op !== 'add' && op !== 'replace' && op !== 'remove') {
    throw scimError('invalidSyntax', 'op must be add, replace or remove');
  }
  const path = memberOf(operation, 'path') ?? undefined;
  const value = memberOf(operation, 'value');
  if (path !== undefined && typeof path !== 'string') throw scimError('invalidPath', 'path must be a string');
  if (op !== 'remove' && value === undefined) throw scimError('invalidValue', `${op} requires a value`);
  if (path !== undefined) return { op, path, value };
  if (op === 'remove') throw scimError('noTarget', 'remove requires a path');
  if (!isObject(value)) throw scimError('invalidValue', 'The value must be an object, because there is no path');
  return { op, path, value };
}

/** The member of this name in any case; 400 if it is given twice. */
export function memberOf(body: object, name: string): JsonValue | undefined {
  const found = Object.entries(body).filter(([given]) => given.toLowerCase() === name.toLowerCase());
  if (found.length > 1) throw scimError('invalidSyntax', `${name} is given twice`);
  return found[0]?.[1];
}
