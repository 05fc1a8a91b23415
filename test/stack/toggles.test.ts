import { isDeepStrictEqual } from 'node:util';
import { expect, test } from '@jest/globals';
import { ofItsStage, settingValues } from './setting-values.ts';
import {
  type Context,
  builtDashboard as dashboard,
  synthesizeTemplate,
  type TemplateResource,
} from './synthesized-stack.ts';

/*
 * Whoever changes one setting of a running deployment keeps its data, keys and addresses: CloudFormation replaces a
 * resource whose logical id changes, or a property with "Update requires: Replacement".
 */

/** Resources with data, keys or addresses, and their properties that CloudFormation updates without a replacement. */
const keptTypes: Readonly<Record<string, readonly string[]>> = {
  'AWS::DynamoDB::GlobalTable': ['Replicas'],
  'AWS::KMS::Key': ['KeyPolicy'],
  'AWS::Cognito::UserPool': ['LambdaConfig'],
  'AWS::Cognito::UserPoolClient': ['CallbackURLs', 'LogoutURLs'],
  'AWS::Cognito::UserPoolDomain': [],
  'AWS::ApiGatewayV2::Api': ['DisableExecuteApiEndpoint'],
  'AWS::ApiGatewayV2::Stage': ['AccessLogSettings', 'DefaultRouteSettings', 'RouteSettings'],
  'AWS::ApiGatewayV2::DomainName': [],
  'AWS::Lambda::Url': [],
  'AWS::CloudFront::Distribution': ['DistributionConfig'],
  'AWS::S3::Bucket': [],
  'AWS::Events::EventBus': [],
  'AWS::SNS::Topic': [],
  'AWS::SQS::Queue': [],
};

/** Values that describe another deployment (restored, a standby, of earlier roots, or in the middle of a release). */
const otherDeployments = ['tableStreamArn', 'rootKeys=k1,shared', 'auth-service:transition'];

const standard: Context = { stage: 'prod', dashboard };
const groups = Object.entries(settingValues)
  .filter(([name]) => name !== 'stage')
  .map(([name, values]) => ({ name, values: values.slice(1).filter(isToggle) }))
  .filter(({ values }) => values.length > 0);
const everything: Context = Object.assign({}, standard, ...groups.map(({ values }) => values.at(-1)));

const toggles = groups.flatMap(({ values }) => values.map((value): [string, Context] => [shown(value), value]));

test.each(toggles)('a standard deployment keeps its data, keys and addresses with %s', async (_, value) => {
  const [before, after] = await Promise.all([standard, { ...standard, ...value }].map(keptResources));
  // The operators log in elsewhere: a deployment refuses to lose their pool unless it is told to.
  const lost = 'oidcIssuer' in value ? /^AWS::Cognito::/ : /^$/;
  expect(missing(before, after).filter(([, { Type }]) => !lost.test(Type))).toEqual([]);
  expect(replaced(before, after)).toEqual([]);
});

test.each(groups)(
  'a deployment with everything on loses only what came with the setting without $name',
  async (group) => {
    const names = new Set(group.values.flatMap((value) => Object.keys(value)));
    const others = Object.fromEntries(Object.entries(everything).filter(([name]) => !names.has(name)));
    const [without, all, nothing, alone] = await Promise.all(
      [{ dashboard, ...others }, everything, standard, { ...standard, ...group.values.at(-1) }].map(keptResources),
    );
    const added = missing(alone, nothing).map(([id]) => id);
    expect(missing(all, without).filter(([id]) => !added.includes(id))).toEqual([]);
    expect(replaced(all, without)).toEqual([]);
  },
);

type Resources = ReadonlyMap<string, TemplateResource>;

async function keptResources(context: Context): Promise<Resources> {
  const { Resources } = await synthesizeTemplate(ofItsStage(context));
  return new Map(Object.entries(Resources).filter(([, { Type }]) => Type in keptTypes));
}

function missing(before: Resources = new Map(), after: Resources = new Map()): [string, TemplateResource][] {
  return [...before].filter(([id]) => !after.has(id));
}

/** The properties that differ although CloudFormation may replace the resource for them. */
function replaced(before: Resources = new Map(), after: Resources = new Map()): string[] {
  return [...before].flatMap(([id, { Type, Properties }]) => {
    const now = after.get(id);
    if (now === undefined) return [];
    const names = Object.keys({ ...Properties, ...now.Properties }).filter((name) => !keptTypes[Type]?.includes(name));
    return names
      .filter((name) => !isDeepStrictEqual(Properties?.[name], now.Properties?.[name]))
      .map((name) => `${id}.${name}`);
  });
}

function isToggle(value: Context): boolean {
  const pairs = Object.entries(value).map(([name, given]) => `${name}=${given}`);
  return !pairs.some((pair) => otherDeployments.some((other) => pair.startsWith(other)));
}

function shown(value: Context): string {
  return Object.entries(value)
    .map(([name, given]) => `${name}=${given === dashboard ? 'built' : given.slice(0, 40)}`)
    .join(' ');
}
