import { statSync } from 'node:fs';
import { extname } from 'node:path';
import * as v from 'valibot';
import type { GivenSettings } from './given-settings.ts';
import { parseJson, readSwitch } from './setting-value.ts';
import type { Stage } from './stages.ts';

/** The provider at which the people of a company log in, and the domains of whose e-mail addresses it is trusted. */
export type LoginProvider = v.InferOutput<typeof openIdSchema> | v.InferOutput<typeof samlSchema>;

/** Cognito's own providers have these names. */
const reservedNames = ['cognito', 'facebook', 'google', 'loginwithamazon', 'signinwithapple'];
const name = v.pipe(
  v.string(),
  v.regex(/^[A-Za-z][A-Za-z0-9-]{2,31}$/, 'Expected a letter and 2 to 31 letters, digits or hyphens'),
  v.check((text) => !reservedNames.includes(text.toLowerCase()), 'Expected a name that Cognito does not use itself'),
);
const domain = v.pipe(
  v.string(),
  v.regex(/^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/, 'Expected the part of e-mail addresses after the @'),
);
const domains = v.pipe(v.array(domain), v.minLength(1, 'Expected at least one domain'));
const httpsUrl = v.pipe(v.string(), v.check(isHttps, 'Expected an HTTPS URL'));

const openIdSchema = v.strictObject({
  name,
  domains,
  issuer: httpsUrl,
  clientId: v.pipe(v.string(), v.nonEmpty()),
  /** The secret has the client secret as its whole text. */
  clientSecretArn: v.pipe(
    v.string(),
    v.regex(/^arn:[\w-]+:secretsmanager:[\w-]+:\d{12}:secret:[\w/+=.@-]+$/, 'Expected the ARN of a secret'),
  ),
});
const samlSchema = v.strictObject({
  name,
  domains,
  metadataUrl: httpsUrl,
  /** The attribute of an assertion that has the e-mail address. */
  emailAttribute: v.optional(
    v.pipe(v.string(), v.nonEmpty()),
    'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
  ),
});

function isHttps(text: string): boolean {
  const url = URL.parse(text);
  return url?.protocol === 'https:' && url.username === '' && url.password === '' && url.hash === '';
}

/** The longest that fits beside the other environment variables of a function, which are limited to 4 KB in total. */
const maxCharacters = 1000;

/** How the pages and e-mails of the login look: the name of the service, the color of buttons, and a logo. */
export interface LoginBranding {
  readonly name: string | undefined;
  /** As `#rrggbb`. */
  readonly color: string | undefined;
  /** The path of an image, and its kind in Cognito's words. */
  readonly logo: { readonly path: string; readonly extension: 'PNG' | 'SVG' | 'JPEG' | 'WEBP' } | undefined;
}

const brandingSchema = v.strictObject({
  name: v.optional(
    v.pipe(v.string(), v.regex(/^[^\p{C}{}<>]{1,50}$/u, 'Expected 1 to 50 characters, without {, }, < and >')),
  ),
  color: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^#[0-9a-f]{6}$/i, 'Expected a color such as #1a5276'),
      v.check((color) => contrastWithWhite(color) >= 4.5, 'Expected a color on which white text can be read (4.5:1)'),
    ),
  ),
  logo: v.optional(v.pipe(v.string(), v.nonEmpty())),
});
const loginSchema = v.strictObject({
  provider: v.optional(v.looseObject({})),
  branding: v.optional(brandingSchema),
});

/** How people log in to applications. */
export interface PeopleLogin {
  /** `on`, `off`, or an object, which switches it on: whether people log in by a user pool of the stack. Default: `off`. */
  readonly login: 'on' | 'off';
  /** The provider at which the people of a company log in. Default: none. */
  readonly loginProvider: LoginProvider | undefined;
  /** How the login looks. Default: as Cognito's. */
  readonly loginBranding: LoginBranding | undefined;
}

/** Reads `login`; throws on an invalid one and names its member. */
export function readLogin(given: GivenSettings, { serviceName }: Pick<Stage, 'serviceName'>): PeopleLogin {
  const { login } = given;
  const value = typeof login === 'string' && login.trim().startsWith('{') ? parseJson(login) : login;
  if (typeof value !== 'object') {
    const isOn = readSwitch(given, 'login', false);
    return { login: isOn ? 'on' : 'off', loginProvider: undefined, loginBranding: undefined };
  }
  const { provider, branding } = parse(loginSchema, value, '');
  return {
    login: 'on',
    loginProvider: provider && readProvider(provider, serviceName),
    loginBranding: branding && readBranding(branding),
  };
}

const extensions: Readonly<Record<string, NonNullable<LoginBranding['logo']>['extension']>> = {
  png: 'PNG',
  svg: 'SVG',
  jpg: 'JPEG',
  jpeg: 'JPEG',
  webp: 'WEBP',
};
/** Cognito takes 1,000,000 characters of Base64. https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_AssetType.html */
const maxLogoBytes = 500_000;

function readBranding({ name, color, logo: path }: v.InferOutput<typeof brandingSchema>): LoginBranding {
  if (path === undefined) return { name, color, logo: undefined };
  const extension = extensions[extname(path).slice(1).toLowerCase()];
  if (extension === undefined) throw refusal('branding.logo: Expected a file that ends with .png, .svg, .jpg or .webp');
  const size = statSync(path, { throwIfNoEntry: false })?.size;
  if (size === undefined) throw refusal(`branding.logo: There is no file ${path}`);
  if (size > maxLogoBytes) throw refusal(`branding.logo: Expected a file of at most ${maxLogoBytes / 1000} KB`);
  return { name, color, logo: { path, extension } };
}

/** The ratio of contrast of WCAG 2.2, by the relative luminance. https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio */
function contrastWithWhite(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05);
}

function readProvider(given: object, serviceName: string): LoginProvider {
  const isSaml = 'metadataUrl' in given;
  const provider = parse<v.GenericSchema<unknown, LoginProvider>>(
    isSaml ? samlSchema : openIdSchema,
    given,
    'provider',
  );
  if (provider.domains.join().length > maxCharacters) throw refusal('provider.domains: Too many');
  if ('clientSecretArn' in provider) requireOwnSecret(provider.clientSecretArn, serviceName);
  return provider;
}

function parse<Schema extends v.GenericSchema>(schema: Schema, value: unknown, place: string): v.InferOutput<Schema> {
  const { success, output, issues } = v.safeParse(schema, value);
  if (success) return output;
  const [issue] = issues;
  throw refusal(`${[place || [], v.getDotPath(issue) ?? []].flat().join('.')}: ${issue.message}`);
}

function refusal(reason: string): Error {
  return new Error(
    `The setting login must be on, off, or an object, whose provider has name, domains and issuer, clientId, clientSecretArn, or name, domains and metadataUrl, and whose branding has name, color and logo; ${reason}`,
  );
}

/** What deploys a stage may read no other secret of the account. */
function requireOwnSecret(arn: string, serviceName: string): void {
  const [secret = ''] = arn.split(':').slice(6);
  if (secret.startsWith(`${serviceName}-login-`)) return;
  throw refusal(`provider.clientSecretArn: The name of the secret must begin with ${serviceName}-login-`);
}
