import { readFile } from 'node:fs/promises';
import type { Loader, OnLoadResult, Plugin } from 'esbuild';

/** A module of the SDK that is bundled otherwise than it stands in its package. */
interface Trim {
  readonly module: RegExp;
  /** Default: `js`. */
  readonly loader?: Loader;
  /** The module's new text, from its old one. */
  readonly trimmed: (text: string) => string;
}

/**
 * The errors that the service tells apart by their class; any other one of a service arrives as its common class, with
 * its name, status and message, which is what retries, `translated` and the log go by.
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
  // Whose version goes into the user agent.
  { module: /@aws-sdk\/client-[^/]+\/package\.json$/, loader: 'json', trimmed: onlyVersion },
  // No operation of ours streams events.
  { module: /@smithy\/core\/dist-es\/submodules\/event-streams\/index\.js$/, trimmed: () => refusal('Event streams') },
  // Stands in where Node was built without OpenSSL.
  { module: /checksum\/sha256\/Sha256Js\.js$/, trimmed: () => 'export const Sha256Js = undefined;' },
  // No body is a web stream or a blob, and asking for their classes has Node load them.
  {
    module: /util-stream\/stream-type-check\.js$/,
    trimmed: () => 'export const isReadableStream = () => false; export const isBlob = () => false;',
  },
  // Endpoints are discovered for operations that ask for it; none of ours does.
  { module: /@aws-sdk\/endpoint-cache\/dist-es\/EndpointCache\.js$/, trimmed: () => 'export class EndpointCache {}' },
  // A Lambda function finds its settings in the environment and has no home directory with a configuration.
  {
    module: /shared-ini-file-loader\/loadSharedConfigFiles\.js$/,
    trimmed: () =>
      'export const CONFIG_PREFIX_SEPARATOR = "."; export const loadSharedConfigFiles = async () => ({ configFile: {}, credentialsFile: {} });',
  },
  // Asked for the region by `AWS_DEFAULTS_MODE=auto` on EC2.
  {
    module: /regionConfig\/getInstanceMetadataRegion\.js$/,
    trimmed: () => 'export const getInstanceMetadataRegion = async () => undefined;',
  },
  { module: /util-endpoints\/lib\/aws\/partitions\.js$/, trimmed: withoutKnownRegions },
  // No endpoint of ours begins with a part of the input, which is all that an RPC protocol asks the HTTP bindings for.
  {
    module: /protocols\/HttpBindingNormalizedSchema\.js$/,
    trimmed: () =>
      `export class HttpBindingNormalizedSchema { static of() { ${refusal('HTTP bindings')} } } export const getHttpOperationBindings = () => [];`,
  },
  // S3 alone has buckets in its endpoints.
  { module: /middleware-endpoint\/service-customizations\/s3\.js$/, trimmed: withoutExports },
  // Signs the headers of event streams.
  {
    module: /@smithy\/signature-v4\/dist-es\/HeaderFormatter\.js$/,
    trimmed: () => `export class HeaderFormatter { format() { ${refusal('Event streams')} } }`,
  },
  // Retries are of the mode `standard`.
  {
    module: /retry\/util-retry\/AdaptiveRetryStrategy\.js$/,
    trimmed: () => `export class AdaptiveRetryStrategy { constructor() { ${refusal('Adaptive retries')} } }`,
  },
];

/**
 * Leaves out of a bundle what the SDK's clients load and this service never uses, which no option of theirs does. The
 * build fails when there is no longer what a trim is to take away, as after an update of the SDK.
 */
export const trimSdk: Plugin = {
  name: 'trim-sdk',
  setup: ({ onLoad }) => {
    for (const { module, loader = 'js', trimmed } of trims) {
      onLoad({ filter: module }, async ({ path }): Promise<OnLoadResult> => {
        const text = await readFile(path, 'utf8');
        const contents = trimmed(text);
        if (contents.length >= text.length) throw new Error(`There is nothing to trim in ${path}`);
        return { contents, loader };
      });
    }
  },
};

/** The modules that are trimmed, as patterns. */
export const trimmedModules: readonly RegExp[] = trims.map(({ module }) => module);

/** Its registrations are what holds every error's class and schema in the bundle. */
function withoutErrors(schemas: string): string {
  const definitions = /^export var (\w+)\$ = \[-3, [\s\S]*?\];\n\w+\.registerError\(\1\$, \1\);$/gm;
  return schemas.replace(definitions, (definition, name: string) => (errorClasses.has(name) ? definition : ''));
}

/** A region that its partition's pattern matches resolves alike without being listed; only its description goes. */
function withoutKnownRegions(partitions: string): string {
  const [, declaration = '', list = ''] = /^(export const partitionsInfo = )(\{.*\});$/s.exec(partitions.trim()) ?? [];
  const info: PartitionsInfo = JSON.parse(list);
  for (const { regions, regionRegex } of info.partitions) {
    for (const region of Object.keys(regions)) if (new RegExp(regionRegex).test(region)) delete regions[region];
  }
  return `${declaration}${JSON.stringify(info)};`;
}

interface PartitionsInfo {
  readonly partitions: readonly { readonly regions: Record<string, unknown>; readonly regionRegex: string }[];
}

function withoutExports(text: string): string {
  return [...text.matchAll(/^export const (\w+)/gm)].map(([declaration]) => `${declaration} = undefined;`).join('');
}

function onlyVersion(packageInfo: string): string {
  return JSON.stringify({ version: JSON.parse(packageInfo).version });
}

function refusal(what: string): string {
  return `throw new Error('${what} are left out of the bundle, see lib/trim-sdk.ts');`;
}
