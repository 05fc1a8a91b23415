import { readFile } from 'node:fs/promises';
import type { OnLoadResult, Plugin } from 'esbuild';

/** A module of the SDK whose text is replaced in the bundles. */
interface Trim {
  readonly module: RegExp;
  /** Returns the module's new text. */
  readonly trimmed: (text: string) => string;
}

/**
 * The errors that the service distinguishes by class. Any other error arrives as its service's base class with its name,
 * status and message, which retries, error handling and the log rely on.
 */
const errorClasses = new Set([
  'DynamoDBServiceException',
  'ConditionalCheckFailedException',
  'TransactionCanceledException',
  'TransactionInProgressException',
  'KMSServiceException',
  'EventBridgeServiceException',
]);

const trims: readonly Trim[] = [
  { module: /@aws-sdk\/client-[^/]+\/dist-es\/schemas\/schemas_0\.js$/, trimmed: withoutErrors },
  // No operation that the service calls uses an event stream.
  {
    module: /@smithy\/core\/dist-es\/submodules\/event-streams\/index\.js$/,
    trimmed: () => `throw new Error('Event streams are left out of the bundle, see lib/functions/trim-sdk.ts');`,
  },
  // The document client's paginators, which are created with the client as their file loads.
  { module: /@aws-sdk\/lib-dynamodb\/dist-es\/pagination\/index\.js$/, trimmed: () => 'export {};' },
  // The fallback for a Node without OpenSSL.
  { module: /checksum\/sha256\/Sha256Js\.js$/, trimmed: () => 'export const Sha256Js = undefined;' },
  // A Lambda function is configured by environment variables and has no home directory with a configuration.
  {
    module: /shared-ini-file-loader\/loadSharedConfigFiles\.js$/,
    trimmed: () =>
      'export const CONFIG_PREFIX_SEPARATOR = "."; export const loadSharedConfigFiles = async () => ({ configFile: {}, credentialsFile: {} });',
  },
];

/**
 * Removes from a bundle the parts of the SDK's clients that the service never uses and that no option turns off. The build
 * fails if a module has nothing left to trim, for example after an update of the SDK.
 */
export const trimSdk: Plugin = {
  name: 'trim-sdk',
  setup: ({ onLoad }) => {
    for (const { module, trimmed } of trims) {
      onLoad({ filter: module }, async ({ path }): Promise<OnLoadResult> => {
        const text = await readFile(path, 'utf8');
        const contents = trimmed(text);
        if (contents.length >= text.length) throw new Error(`There is nothing to trim in ${path}`);
        return { contents, loader: 'js' };
      });
    }
  },
};

/** The modules that are trimmed, as patterns. */
export const trimmedModules: readonly RegExp[] = trims.map(({ module }) => module);

/** Registering an error is what keeps its class and schema in the bundle. */
function withoutErrors(schemas: string): string {
  const definitions = /^export var (\w+)\$ = \[-3, [\s\S]*?\];\n\w+\.registerError\(\1\$, \1\);$/gm;
  return schemas.replace(definitions, (definition, name: string) => (errorClasses.has(name) ? definition : ''));
}
