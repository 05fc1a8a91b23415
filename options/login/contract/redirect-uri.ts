import * as v from 'valibot';

/** Cognito accepts 100 a client; all of them are in the application's item. */
const maxUris = 20;

const rest = String.raw`[^\s#*\\"<>]*`;
const host = String.raw`[^\s/?#*\\"<>@]+`;

/**
 * An address to which a login may return, compared exactly (RFC 9700 section 4.1.3): `https`, `http` of this machine alone, or a
 * scheme of an installed program with a dot in it (RFC 8252 section 7.1), without a fragment or credentials.
 */
const redirectUriPattern = new RegExp(
  String.raw`^(?:https://${host}(?:[/?]${rest})?|http://(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?(?:[/?]${rest})?|[a-z][a-z\d+-]*(?:\.[a-z\d+-]+)+:/${rest})$`,
);

const uriSchema = v.pipe(
  v.string('must be a string'),
  v.maxLength(512, 'is too long'),
  v.regex(
    redirectUriPattern,
    'must be an https address, one of localhost, or one of a scheme such as com.example.app:/, without # and *',
  ),
);

const urisSchema = v.pipe(
  v.array(uriSchema, 'must be a list'),
  v.maxLength(maxUris, `must have at most ${maxUris} addresses`),
);
const distinct = v.transform((uris: string[]) => [...new Set(uris)]);

/** The addresses to which a login returns. */
export const redirectUrisSchema = v.pipe(urisSchema, v.minLength(1, 'must have at least one address'), distinct);

/** The addresses to which a logout returns. */
export const logoutUrisSchema = v.optional(v.pipe(urisSchema, distinct), []);
