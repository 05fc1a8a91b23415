import {
  type Attribute,
  findAttribute,
  invalidValue,
  isObject,
  readBoolean,
  readElement,
  readValue,
  requireFew,
  requireOnePrimary,
} from './attribute.ts';
import type { Target } from './attribute-path.ts';
import type { JsonObject, JsonValue } from './directory.ts';
import { type Comparison, invalidFilter } from './filter.ts';
import { scimError } from './scim-error.ts';
import type { UserDocument } from './user-document.ts';

/** A change of one attribute. Everything that can be validated without the user already is. */
export type UserEdit = (document: UserDocument) => void;

/** An attribute that is declared and may be changed. */
export interface AttributeTarget extends Target {
  readonly attribute: Attribute;
}

/** Adds or replaces what a path names (RFC 7644 sections 3.5.2.1 and 3.5.2.3). */
export function assignEdit(op: 'add' | 'replace', target: AttributeTarget, value: unknown): UserEdit {
  const { attribute, subAttribute, filter } = target;
  const isMember = subAttribute !== undefined || filter !== undefined || !attribute.multiValued;
  if (attribute.type !== 'complex' && !attribute.multiValued) {
    const simple = readValue(attribute, value);
    return (document) => document.set(attribute, simple);
  }
  if (isMember) return mergeEdit(op, target, value);
  const whole = (readValue(attribute, value) as readonly JsonObject[]).map(withoutNulls);
  return (document) =>
    storeElements(document, attribute, op === 'add' ? union(elementsOf(document, attribute), whole) : whole, whole);
}

/** Changes elements of an attribute with several values, or the members of one with a single value. */
function mergeEdit(
  op: 'add' | 'replace',
  { attribute, subAttribute, filter }: AttributeTarget,
  value: unknown,
): UserEdit {
  const single = Array.isArray(value) && value.length === 1 ? value[0] : value;
  const members =
    subAttribute === undefined
      ? (readElement(attribute, single) as JsonObject)
      : { [subAttribute.name]: readValue(subAttribute, value, `${attribute.name}.${subAttribute.name}`) };
  const matches = matcherOf(attribute, filter);
  const created = withoutNulls({ ...selectedBy(attribute, filter), ...members });
  const replacesElement = op === 'replace' && filter !== undefined && subAttribute === undefined;
  return (document) => {
    const elements = elementsOf(document, attribute);
    if (filter === undefined) requireUnambiguous(attribute, elements);
    const touched: JsonObject[] = [];
    const merged = elements.map((element) => {
      if (!matches(element)) return element;
      const next = replacesElement ? created : withoutNulls({ ...element, ...members });
      touched.push(next);
      return next;
    });
    if (touched.length > 0) return storeElements(document, attribute, merged, touched);
    // Entra ID expects `replace` to create what its filter does not find.
    storeElements(document, attribute, attribute.multiValued ? [...elements, created] : [created], [created]);
  };
}

/**
 * Takes away what a path names (RFC 7644 section 3.5.2.2). A list of values takes away only those that it names. An attribute
 * that is not complex has no elements, so all of it goes.
 */
export function removeEdit({ attribute, subAttribute, filter }: AttributeTarget, value: unknown): UserEdit {
  const meets = matcherOf(attribute, filter);
  const isListed = attribute.multiValued && hasValue(value) ? listedIn(attribute, value) : () => true;
  return (document) => {
    const elements = elementsOf(document, attribute);
    const kept = elements.flatMap((element): JsonObject[] => {
      if (!meets(element) || !isListed(element)) return [element];
      return subAttribute === undefined ? [] : [withoutNulls({ ...element, [subAttribute.name]: null })];
    });
    storeElements(document, attribute, kept, []);
  };
}

function hasValue(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** Compares what both have, so that Entra ID's `"$ref": null` and texts for people do not matter. */
function listedIn(attribute: Attribute, value: unknown): (element: JsonObject) => boolean {
  const listed = (readValue({ ...attribute, multiValued: true }, value) as readonly JsonObject[]).map(withoutNulls);
  if (listed.some((each) => Object.keys(each).length === 0)) throw invalidValue(attribute.name, 'must name the values');
  return (element) =>
    listed.some((each) =>
      'value' in each
        ? each.value === element.value
        : Object.entries(each).every(([name, wanted]) => element[name] === wanted),
    );
}

function matcherOf(attribute: Attribute, filter: readonly Comparison[] = []): (element: JsonObject) => boolean {
  const conditions = filter.map((comparison) => [subAttributeOf(attribute, comparison), comparison.value] as const);
  return (element) => conditions.every(([sub, value]) => isEqual(sub, element[sub.name], value));
}

/** The members that an element has if it is created because no other matches the filter. */
function selectedBy(attribute: Attribute, filter: readonly Comparison[] = []): JsonObject {
  return Object.fromEntries(
    filter.map((comparison) => {
      const sub = subAttributeOf(attribute, comparison);
      return [sub.name, readValue(sub, comparison.value, `${attribute.name}.${sub.name}`)];
    }),
  );
}

function subAttributeOf(attribute: Attribute, { path }: Comparison): Attribute {
  const sub = findAttribute(attribute.subAttributes, path);
  if (sub === undefined) throw invalidFilter(`names ${path}, which ${attribute.name} does not have`);
  return sub;
}

function isEqual({ type, caseExact }: Attribute, stored: JsonValue | undefined, value: JsonValue): boolean {
  if (type === 'boolean') return (stored ?? false) === readBoolean(value);
  if (typeof stored !== 'string' || typeof value !== 'string') return false;
  return caseExact ? stored === value : stored.toLowerCase() === value.toLowerCase();
}

function elementsOf(document: UserDocument, attribute: Attribute): readonly JsonObject[] {
  const value = document.get(attribute);
  return (Array.isArray(value) ? value : [value]).filter(isObject);
}

/** `emails.value` is clear only if there is at most one. */
function requireUnambiguous({ name, multiValued }: Attribute, elements: readonly JsonObject[]): void {
  if (!multiValued || elements.length <= 1) return;
  throw scimError('invalidPath', `${name} has several values: select one, as in ${name}[type eq "work"].`);
}

/** An element that becomes primary takes that from the others (RFC 7644 section 3.5.2). Without elements, none is left. */
function storeElements(
  document: UserDocument,
  attribute: Attribute,
  elements: readonly JsonObject[],
  touched: readonly JsonObject[],
): void {
  const stored = elements.filter((element) => Object.keys(element).length > 0);
  const [first] = stored;
  if (first === undefined) {
    document.delete(attribute);
    return;
  }
  requireFew(stored, attribute.name);
  const takesOver = touched.some(({ primary }) => primary === true);
  const values = stored.map((element) =>
    takesOver && element.primary === true && !touched.includes(element) ? { ...element, primary: false } : element,
  );
  requireOnePrimary(values, attribute.name);
  document.set(attribute, attribute.multiValued ? values : first);
}

/** Without those that are there already (RFC 7644 section 3.5.2.1). */
function union(elements: readonly JsonObject[], more: readonly JsonObject[]): readonly JsonObject[] {
  const known = new Map(elements.map((element) => [canonical(element), element]));
  for (const element of more) known.set(canonical(element), element);
  return [...known.values()];
}

function canonical(element: JsonObject): string {
  return JSON.stringify(Object.entries(element).sort());
}

function withoutNulls(members: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));
}
