import { invalidField } from '#shared/core/errors.ts';

const entityTags = /^(?:W\/)?"[!#-~]*"(?:\s*,\s*(?:W\/)?"[!#-~]*")*$/;

/** The versions that an If-Match allows (RFC 9110 section 13.1.1); undefined is any. Weak and foreign tags never match. */
export function readIfMatch(header: string | undefined): readonly number[] | undefined {
  const text = header?.trim();
  if (text === undefined || text === '*') return undefined;
  if (text.length > 1024 || !entityTags.test(text)) throw invalidField('header:if-match', 'must be "<version>" or *');
  return text
    .split(',')
    .map((tag) => /^"(0|[1-9]\d{0,14})"$/.exec(tag.trim())?.[1])
    .filter((version) => version !== undefined)
    .map(Number);
}

/** The entity tag of a version. */
export function entityTag(version: number): string {
  return `"${version}"`;
}
