import { randomUUID } from 'node:crypto';
import type { Answer } from '#test/support/send-request.ts';
import type { ConnectedDirectory } from './ask-scim.ts';

/** An attribute as `/Schemas` declares it (RFC 7643 section 7). */
export interface DeclaredAttribute {
  readonly name: string;
  readonly type: 'string' | 'boolean' | 'reference' | 'complex';
  readonly multiValued: boolean;
  readonly required: boolean;
  readonly mutability: 'readWrite' | 'readOnly' | 'immutable' | 'writeOnly';
  readonly canonicalValues?: readonly string[];
  readonly referenceTypes?: readonly string[];
  readonly subAttributes?: readonly DeclaredAttribute[];
}

interface Declared {
  readonly schema: string;
  readonly endpoint: string;
  readonly schemaExtensions?: readonly { readonly schema: string }[];
}

/** An attribute that can be changed, by its path in a PATCH (RFC 7644 section 3.5.2). */
export interface TestedAttribute {
  readonly path: string;
  readonly attribute: DeclaredAttribute;
  /** Where it is in a resource. */
  readonly names: readonly string[];
}

// biome-ignore lint/suspicious/noExplicitAny: resources are what a service answers.
type Resource = any;

/** Common to all resources (RFC 7643 section 3.1), so no schema lists it. */
const externalId: DeclaredAttribute = {
  name: 'externalId',
  type: 'string',
  multiValued: false,
  required: false,
  mutability: 'readWrite',
};

/**
 * A client that knows of a service only what `/ResourceTypes` and `/Schemas` say, and makes up resources and values from that, as
 * scim2-tester 0.5 does: random text, one value of several, references to resources that it creates.
 */
export class ScimTester {
  readonly #ask: ConnectedDirectory['ask'];

  constructor(ask: ConnectedDirectory['ask']) {
    this.#ask = ask;
  }

  async resourceType(name: string): Promise<Declared> {
    return (await this.#ask('GET', `/ResourceTypes/${name}`)).body;
  }

  /** All attributes of a resource type, those of an extension by their URNs and the extension as a whole. */
  async attributesOf(type: string): Promise<TestedAttribute[]> {
    const { schema, schemaExtensions = [] } = await this.resourceType(type);
    const own = (await this.#schema(schema)).map((attribute) => tested(attribute.name, attribute, [attribute.name]));
    const extensions = await Promise.all(
      schemaExtensions.map(async ({ schema: urn }) => {
        const subAttributes = await this.#schema(urn);
        const whole = { ...externalId, name: urn, type: 'complex', subAttributes } as const;
        return [
          tested(urn, whole, [urn]),
          ...subAttributes.map((each) => tested(`${urn}:${each.name}`, each, [urn, each.name])),
        ];
      }),
    );
    return [...own, tested('externalId', externalId, ['externalId']), ...extensions.flat()];
  }

  async #schema(urn: string): Promise<readonly DeclaredAttribute[]> {
    return (await this.#ask('GET', `/Schemas/${urn}`)).body.attributes;
  }

  /** Creates a resource with the required attributes, or with all that can be written. */
  async create(type: string, { all = false } = {}): Promise<Answer> {
    const { schema, endpoint } = await this.resourceType(type);
    const body: Record<string, unknown> = { schemas: [schema] };
    for (const { attribute, names } of await this.attributesOf(type)) {
      if (names.length === 1 && isWritable(attribute) && (all || attribute.required)) {
        body[attribute.name] = await this.valueOf(attribute);
      }
    }
    return this.#ask('POST', endpoint, body);
  }

  async valueOf(attribute: DeclaredAttribute): Promise<unknown> {
    const one = await this.#oneValueOf(attribute);
    return attribute.multiValued ? [one] : one;
  }

  async #oneValueOf({ type, canonicalValues, referenceTypes = [], subAttributes = [] }: DeclaredAttribute) {
    if (type === 'complex') return this.#complexValueOf(subAttributes);
    if (type === 'boolean') return true;
    if (canonicalValues !== undefined) return canonicalValues[0];
    if (type !== 'reference') return `${randomUUID()}@example.com`;
    const [target = 'external'] = referenceTypes;
    if (target === 'external' || target === 'uri') return `https://${randomUUID()}.test`;
    return (await this.create(target)).body.meta.location;
  }

  /** What a reference leads to has its id as the value. */
  async #complexValueOf(attributes: readonly DeclaredAttribute[]): Promise<Resource> {
    const value: Resource = {};
    for (const each of attributes.filter(isWritable)) value[each.name] = await this.valueOf(each);
    if (value.$ref !== undefined) value.value = decodeURIComponent(value.$ref.split('/').at(-1));
    return value;
  }
}

function tested(path: string, attribute: DeclaredAttribute, names: readonly string[]): TestedAttribute {
  return { path, attribute, names };
}

export function isWritable({ mutability }: DeclaredAttribute): boolean {
  return mutability !== 'readOnly';
}

/** The value of an attribute in a resource; undefined for an empty list, which is no value (RFC 7643 section 2.5). */
export function valueIn(resource: Resource, names: readonly string[]): unknown {
  const value = names.reduce((within, name) => within?.[name], resource);
  return Array.isArray(value) && value.length === 0 ? undefined : value;
}
