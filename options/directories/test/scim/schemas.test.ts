import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../scim/directory.ts';
import { discover } from '../../scim/discovery.ts';

const schemas = (discover('/Schemas', 'https://api.example.com/scim/v2')?.Resources ?? []) as readonly JsonObject[];

/** RFC 7643 sections 8.7.1 and 8.7.2, without what is the default, and without the attribute `id` of all resources. */
const rfc7643 = `
User userName string required server
User name complex
User name.formatted string
User name.familyName string
User name.givenName string
User name.middleName string
User name.honorificPrefix string
User name.honorificSuffix string
User displayName string
User nickName string
User profileUrl reference:external
User title string
User userType string
User preferredLanguage string
User locale string
User timezone string
User active boolean
User emails complex[]
User emails.value string
User emails.display string
User emails.type string=work|home|other
User emails.primary boolean
User phoneNumbers complex[]
User phoneNumbers.value string
User phoneNumbers.display string
User phoneNumbers.type string=work|home|mobile|fax|pager|other
User phoneNumbers.primary boolean
User ims complex[]
User ims.value string
User ims.display string
User ims.type string=aim|gtalk|icq|xmpp|msn|skype|qq|yahoo
User ims.primary boolean
User photos complex[]
User photos.value reference:external
User photos.display string
User photos.type string=photo|thumbnail
User photos.primary boolean
User addresses complex[]
User addresses.formatted string
User addresses.streetAddress string
User addresses.locality string
User addresses.region string
User addresses.postalCode string
User addresses.country string
User addresses.type string=work|home|other
User addresses.primary boolean
User groups complex[] readOnly
User groups.value string readOnly
User groups.$ref reference:User|Group readOnly
User groups.display string readOnly
User groups.type string=direct|indirect readOnly
EnterpriseUser employeeNumber string
EnterpriseUser costCenter string
EnterpriseUser organization string
EnterpriseUser division string
EnterpriseUser department string
EnterpriseUser manager complex
EnterpriseUser manager.value string required
EnterpriseUser manager.$ref reference:User required
EnterpriseUser manager.displayName string readOnly
Group displayName string
Group members complex[]
Group members.value string immutable
Group members.$ref reference:User|Group immutable
Group members.type string=User|Group immutable
ServiceProviderConfig documentationUri reference:external readOnly
ServiceProviderConfig patch complex required readOnly
ServiceProviderConfig patch.supported boolean required readOnly
ServiceProviderConfig bulk complex required readOnly
ServiceProviderConfig bulk.supported boolean required readOnly
ServiceProviderConfig bulk.maxOperations integer required readOnly
ServiceProviderConfig bulk.maxPayloadSize integer required readOnly
ServiceProviderConfig filter complex required readOnly
ServiceProviderConfig filter.supported boolean required readOnly
ServiceProviderConfig filter.maxResults integer required readOnly
ServiceProviderConfig changePassword complex required readOnly
ServiceProviderConfig changePassword.supported boolean required readOnly
ServiceProviderConfig sort complex required readOnly
ServiceProviderConfig sort.supported boolean required readOnly
ServiceProviderConfig etag complex required readOnly
ServiceProviderConfig etag.supported boolean required readOnly
ServiceProviderConfig authenticationSchemes complex[] required readOnly
ServiceProviderConfig authenticationSchemes.name string required readOnly
ServiceProviderConfig authenticationSchemes.description string required readOnly
ServiceProviderConfig authenticationSchemes.specUri reference:external readOnly
ServiceProviderConfig authenticationSchemes.documentationUri reference:external readOnly
ResourceType name string required readOnly
ResourceType description string readOnly
ResourceType endpoint reference:uri required readOnly
ResourceType schema reference:uri required caseExact readOnly
ResourceType schemaExtensions complex[] required readOnly
ResourceType schemaExtensions.schema reference:uri required caseExact readOnly
ResourceType schemaExtensions.required boolean required readOnly
Schema name string required readOnly
Schema description string readOnly
Schema attributes complex[] required readOnly
Schema attributes.name string required caseExact readOnly
Schema attributes.type string required readOnly
Schema attributes.multiValued boolean required readOnly
Schema attributes.description string caseExact readOnly
Schema attributes.required boolean readOnly
Schema attributes.canonicalValues string[] caseExact readOnly
Schema attributes.caseExact boolean readOnly
Schema attributes.mutability string caseExact readOnly
Schema attributes.returned string caseExact readOnly
Schema attributes.uniqueness string caseExact readOnly
Schema attributes.referenceTypes string[] caseExact readOnly
Schema attributes.subAttributes complex[] readOnly`;

/** Where this service says more or less than the RFC. */
const deviations = `
User active boolean required
User ims.type string
User groups.value string caseExact readOnly
User groups.$ref reference:Group readOnly
User groups.type string=direct readOnly
EnterpriseUser manager.value string caseExact
EnterpriseUser manager.$ref reference:User
EnterpriseUser manager.displayName string
Group displayName string required caseExact server
Group members.value string caseExact immutable
Group members.$ref reference:User immutable
Group members.type string=User immutable
ServiceProviderConfig authenticationSchemes.type string required readOnly
ServiceProviderConfig authenticationSchemes.primary boolean readOnly
ResourceType schemaExtensions complex[] readOnly`;

const rowsOf = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((row): [string, string] => {
      const [schema, name, ...rest] = row.split(' ');
      return [`${schema} ${name}`, rest.join(' ')];
    });

/** The attributes of a schema with their parts, in the format of the tables above. */
function described(attributes: unknown, prefix: string): [string, string][] {
  return (attributes as readonly JsonObject[]).flatMap((attribute) => {
    const { name, type, multiValued, required, caseExact, mutability, uniqueness, subAttributes } = attribute;
    const list = (mark: string, values: unknown) => (Array.isArray(values) ? `${mark}${values.join('|')}` : '');
    const words = [
      `${type}${multiValued ? '[]' : ''}${list('=', attribute.canonicalValues)}${list(':', attribute.referenceTypes)}`,
      required && 'required',
      caseExact && 'caseExact',
      mutability !== 'readWrite' && mutability,
      uniqueness !== 'none' && uniqueness,
    ];
    const parts = subAttributes === undefined ? [] : described(subAttributes, `${prefix}${name}.`);
    return [[`${prefix}${name}`, words.filter(Boolean).join(' ')], ...parts];
  });
}

describe('the schemas that directories read', () => {
  test('declare the attributes as RFC 7643 does, but for the deviations', () => {
    const ours = schemas.flatMap(({ name, attributes }) => described(attributes, `${name} `));
    expect(Object.fromEntries(ours)).toEqual(Object.fromEntries([...rowsOf(rfc7643), ...rowsOf(deviations)]));
  });

  test('describe each attribute in a sentence, and say of texts alone whether their case matters', () => {
    const check = (attributes: unknown) => {
      for (const attribute of attributes as readonly JsonObject[]) {
        expect(attribute.description).toMatch(/^\p{Lu}.+\.$/u);
        const isText = attribute.type === 'string' || attribute.type === 'reference';
        expect(typeof attribute.caseExact).toBe(isText ? 'boolean' : 'undefined');
        if (attribute.subAttributes !== undefined) check(attribute.subAttributes);
      }
    };
    for (const { attributes } of schemas) check(attributes);
  });

  test('have the ids of RFC 7643, a description each, and their addresses', () => {
    const [core, extension] = ['urn:ietf:params:scim:schemas:core:2.0', 'urn:ietf:params:scim:schemas:extension'];
    expect(schemas.map(({ id }) => id)).toEqual([
      `${core}:User`,
      `${extension}:enterprise:2.0:User`,
      `${core}:Group`,
      `${core}:ServiceProviderConfig`,
      `${core}:ResourceType`,
      `${core}:Schema`,
    ]);
    for (const schema of schemas) {
      expect(schema).toMatchObject({
        schemas: [`${core}:Schema`],
        description: expect.stringMatching(/^\p{Lu}.+/u),
        meta: { resourceType: 'Schema', location: `https://api.example.com/scim/v2/Schemas/${schema.id}` },
      });
    }
  });
});
