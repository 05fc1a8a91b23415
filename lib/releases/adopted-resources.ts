import * as v from 'valibot';
import { adoptionMetadata } from '../settings/adoption.ts';
import { type Loss, newRootKey } from './data-settings.ts';

const resourceSchema = v.object({
  Type: v.string(),
  DeletionPolicy: v.optional(v.string()),
  Properties: v.optional(
    v.object({
      KeySpec: v.optional(v.unknown()),
      Description: v.optional(v.unknown()),
      PermissionsBoundary: v.optional(v.unknown()),
    }),
    {},
  ),
  Metadata: v.optional(v.object({ [adoptionMetadata]: v.optional(v.record(v.string(), v.string())) })),
});
/** The resources of a synthesized template. */
export const resourcesSchema = v.record(v.string(), resourceSchema);
export type Resources = v.InferOutput<typeof resourcesSchema>;

/** The resources to import by logical id, each with the property that identifies it and its value. */
export type Imports = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Whether the template adopts anything. */
export function adoptsAny(resources: Resources): boolean {
  return Object.values(resources).some((resource) => identifierOf(resource) !== undefined);
}

/**
 * What the stack adopts and does not have yet, so that a deployment that failed after the import can be repeated. `deployed`
 * are the physical ids of its resources by logical id. Throws if the stack has another resource in that place.
 */
export function importsOf(resources: Resources, deployed: ReadonlyMap<string, string>): Imports {
  const imports: Record<string, Readonly<Record<string, string>>> = {};
  for (const [id, resource] of Object.entries(resources)) {
    const identifier = identifierOf(resource);
    if (identifier === undefined) continue;
    const [adopted] = Object.values(identifier);
    const present = deployed.get(id);
    if (present === undefined) imports[id] = identifier;
    else if (present !== adopted) {
      throw new Error(
        `The stack cannot adopt ${adopted}: its resource ${id} is ${present} already, and a stack adopts only what it lacks`,
      );
    }
  }
  return imports;
}

/** The root keys that the stack would create: every API key under an earlier one of their versions would be lost. */
export function newRootKeys(resources: Resources, deployed: ReadonlyMap<string, string>): Loss[] {
  return Object.entries(resources)
    .filter(([id, resource]) => isRootKey(resource) && identifierOf(resource) === undefined && !deployed.has(id))
    .map(([, { Properties }]) => newRootKey(/\w+$/.exec(String(Properties.Description))?.[0] ?? ''));
}

/** Whether the stack would create root keys that outlive it, and not only copies of those of another Region. */
export function createsRetainedKeys(resources: Resources): boolean {
  return Object.values(resources).some(
    (resource) => resource.Type === 'AWS::KMS::Key' && isRootKey(resource) && resource.DeletionPolicy === 'Retain',
  );
}

/** The logical id of the table that a new stack would create and that outlives it; undefined if there is none. */
export function retainedTableOf(resources: Resources): string | undefined {
  return Object.entries(resources).find(
    ([, resource]) =>
      resource.Type === 'AWS::DynamoDB::GlobalTable' &&
      resource.DeletionPolicy === 'Retain' &&
      identifierOf(resource) === undefined,
  )?.[0];
}

function identifierOf({ Metadata }: Resources[string]): Readonly<Record<string, string>> | undefined {
  return Metadata?.[adoptionMetadata];
}

function isRootKey({ Type, Properties }: Resources[string]): boolean {
  return Type === 'AWS::KMS::ReplicaKey' || (Type === 'AWS::KMS::Key' && Properties.KeySpec === 'HMAC_256');
}
