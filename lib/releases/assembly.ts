import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { type Resources, resourcesSchema } from './adopted-resources.ts';
import { type DataSettings, parseDataSettings } from './data-settings.ts';

/** The parameter with the version of a bootstrap. */
const bootstrapVersion = /^\/cdk-bootstrap\/([a-z0-9]+)\/version$/;
const manifestSchema = v.object({ artifacts: v.record(v.string(), v.looseObject({ type: v.string() })) });
const stackSchema = v.object({
  /** `aws://<account>/<Region>`, where either may be unknown. */
  environment: v.string(),
  properties: v.object({
    /** Absent if it is the artifact's id. */
    stackName: v.optional(v.string()),
    templateFile: v.string(),
    bootstrapStackVersionSsmParameter: v.pipe(v.string(), v.regex(bootstrapVersion)),
  }),
});
const templateSchema = v.object({
  Resources: v.optional(resourcesSchema, {}),
  Outputs: v.looseObject({ DataSettings: v.object({ Value: v.string() }) }),
});

/** A synthesized stack of the service. */
export interface PlannedStack {
  readonly stackName: string;
  /** The stage's name, which is the end of the stack's. */
  readonly stage: string;
  /** Undefined unless `accounts` in `cdk.json` gives the stage one. */
  readonly account: string | undefined;
  /** Undefined if neither the stack nor the environment names it. */
  readonly region: string | undefined;
  /** The qualifier of the bootstrap that deploys the stack. */
  readonly bootstrapQualifier: string;
  /** Whether that is a bootstrap of `npm run bootstrap`, whose boundary the roles have. */
  readonly hasOwnBootstrap: boolean;
  readonly resources: Resources;
  readonly dataSettings: DataSettings;
  readonly outputNames: readonly string[];
}

/** Reads the only stack of an assembly. */
export function readPlannedStack(assembly: string): PlannedStack {
  const { artifacts } = v.parse(manifestSchema, readJson(assembly, 'manifest.json'));
  const [id = '', stack] = Object.entries(artifacts).find(([, { type }]) => type === 'aws:cloudformation:stack') ?? [];
  const { environment, properties } = v.parse(stackSchema, stack);
  const qualifier = bootstrapVersion.exec(properties.bootstrapStackVersionSsmParameter)?.[1] ?? '';
  const { Resources, Outputs } = v.parse(templateSchema, readJson(assembly, properties.templateFile));
  const stackName = properties.stackName ?? id;
  return {
    stackName,
    stage: stackName.replace('AuthService-', ''),
    account: /^aws:\/\/(\d{12})\//.exec(environment)?.[1],
    region: regionOf(environment),
    bootstrapQualifier: qualifier,
    hasOwnBootstrap: Object.values(Resources).some(({ Properties }) =>
      JSON.stringify(Properties.PermissionsBoundary ?? '').includes(`policy/cdk-${qualifier}-boundary-`),
    ),
    resources: Resources,
    dataSettings: parseDataSettings(Outputs.DataSettings.Value),
    outputNames: Object.keys(Outputs),
  };
}

/** Looks up the Region where the CDK does, for an environment without one. */
function regionOf(environment: string): string | undefined {
  const region = environment.split('/').at(-1);
  if (region !== undefined && region !== 'unknown-region') return region;
  return process.env.AWS_REGION ?? process.env.AWS_DEFAULT_REGION;
}

function readJson(folder: string, name: string): unknown {
  return JSON.parse(readFileSync(join(folder, name), 'utf8'));
}
