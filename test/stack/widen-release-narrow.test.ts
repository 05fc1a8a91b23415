import { expect, test } from '@jest/globals';
import { transitionsOf } from '../../lib/releases/data-settings.ts';
import { deploymentContext } from '../../lib/settings/context-names.ts';
import { type Statement, statementsOf } from './role-permissions.ts';
import {
  type Context,
  functionsOf,
  resourcesOf,
  rootKeyOf,
  synthesizeTemplate,
  type Template,
} from './synthesized-stack.ts';

const ownArn = 'arn:aws:dynamodb:eu-central-1:123456789012:table/AuthService-prod-Items';
const restoredArn = `${ownArn}-restored`;
const tableStreamArn = `${restoredArn}/stream/2026-11-20T19:14:11.123`;
/** So that there are functions that hold no root of API keys. */
const endpoints = 'evaluate,hooks,scim';
const others = ['h1', 'c1', 'w1'];
const ownData = { table: 'own', replicaRegions: [], rootKeys: ['k1', ...others], sharedRoots: false };
const restoredData = { ...ownData, table: tableStreamArn };
const twoRoots = { ...ownData, rootKeys: ['k1', 'k2', ...others] };
const newRootAlone = { ...ownData, rootKeys: ['k2', ...others] };
const sharedRoots = { ...ownData, sharedRoots: true };

/** Each deployment changes the roles first. Until the aliases move, the previous version answers. */
test.each([
  ['a restored table', { tableStreamArn }, ownData, restoredData],
  ['a new root key', { rootKeys: 'k1,k2' }, ownData, twoRoots],
  ['the end of a root key', { rootKeys: 'k2' }, twoRoots, newRootAlone],
  [
    'a restored table and a new root key',
    { tableStreamArn, rootKeys: 'k1,k2' },
    ownData,
    { ...restoredData, rootKeys: ['k1', 'k2', ...others] },
  ],
  ['shared roots', { endpoints, rootKeys: 'k1,shared' }, ownData, sharedRoots],
  ['the end of shared roots', { endpoints }, sharedRoots, ownData],
])('at each step to %s both versions have all the permissions they need', async (_, settings, deployed, planned) => {
  const transitions = transitionsOf(deployed, planned, ownArn);
  const steps = transitions.map((transition) => ({
    ...settings,
    [deploymentContext.transition]: JSON.stringify(transition),
  }));
  // The last one is the next deployment, which narrows.
  const before = {
    ...('endpoints' in settings && { endpoints }),
    rootKeys: [...deployed.rootKeys, ...(deployed.sharedRoots ? ['shared'] : [])].join(),
  };
  expect(await denialsOf([before, ...steps, settings])).toEqual([]);
});

test.each([
  ['a restored table', [{}, { tableStreamArn }]],
  ['the end of a root key', [{ rootKeys: 'k1,k2' }, { rootKeys: 'k2' }]],
  ['the end of shared roots', [{ endpoints, rootKeys: 'k1,shared' }, { endpoints }]],
])('in a single step to %s the serving version is denied', async (_, steps) => {
  const denials = await denialsOf(steps);
  expect(denials.length).toBeGreaterThan(5);
  expect(denials[0]).toMatch(/^step 1: the version of step 0 of [\w-]+ may not /);
});

test('granted keys have the same policy as the others, which names the functions', async () => {
  const [widen] = transitionsOf(ownData, twoRoots, ownArn);
  const context = { stage: 'prod', rootKeys: 'k1,k2', [deploymentContext.transition]: JSON.stringify(widen) };
  const template = await synthesizeTemplate(context);
  const keys = ['k1', 'k2'].map((version) => rootKeyOf(template, version)[1]);
  const policies = keys.map(({ Properties }) => JSON.stringify(Properties.KeyPolicy));
  expect([policies.length, new Set(policies).size]).toEqual([2, 1]);
});

interface Step {
  readonly template: Template;
  /** The table and the root keys in a version's environment. */
  readonly uses: (name: string, resource: string) => boolean;
}

async function denialsOf(contexts: readonly Context[]): Promise<string[]> {
  const steps = await Promise.all(contexts.map(readStep));
  return steps.flatMap(({ template }, at) =>
    [at - 1, at].flatMap((of) => {
      const version = steps[of];
      if (version === undefined) return [];
      return [...functionsOf(version.template).keys()].filter(isReleased).flatMap((name) =>
        needsOf(version, name)
          .filter((need) => !permissionsOf(template, name).has(need))
          .map((need) => `step ${at}: the version of step ${of} of ${name} may not ${need}`),
      );
    }),
  );
}

/** The canary and the functions of deployments have no earlier version that answers until an alias moves. */
function isReleased(name: string): boolean {
  return !['run-canary', 'check-release', 'guard-data'].includes(name);
}

async function readStep(context: Context): Promise<Step> {
  const template = placeTable(await synthesizeTemplate({ stage: 'prod', region: 'eu-central-1', ...context }));
  const variablesOf = (name: string) => Object(functionsOf(template).get(name)?.Properties.Environment).Variables;
  const variables = variablesOf('set-access');
  const mappings = [...resourcesOf(template, 'AWS::Lambda::EventSourceMapping').values()];
  const [stream = '', ...others] = new Set(mappings.map(({ Properties }) => String(Properties.EventSourceArn)));
  expect(others).toEqual([]);
  const tableArn = stream.replace(/\/stream\/.*/, '');
  expect(tableArn.endsWith(`/${variables.TABLE_NAME}`)).toBe(true);
  const uses = (name: string, resource: string) => {
    if (resource.includes(':table/')) return resource === tableArn || resource.startsWith(`${tableArn}/`);
    return !resource.includes('RootKey') || JSON.stringify(variablesOf(name).ROOT_KEYS).includes(resource);
  };
  return { template, uses };
}

/**
 * Returns what a function's role must allow a version: what it allowed on release, except for other tables and keys.
 */
function needsOf({ template, uses }: Step, name: string): string[] {
  return [...permissionsOf(template, name)].filter((need) => uses(name, need.split(' on ')[1]?.split(' if ')[0] ?? ''));
}

function permissionsOf(template: Template, name: string): Set<string> {
  return new Set(statementsOf(template, name).flatMap(permissionsIn));
}

function permissionsIn({ Action, Resource, Condition }: Statement): string[] {
  const resources = [Resource].flat().flatMap((resource) => {
    const text = typeof resource === 'string' ? resource : JSON.stringify(resource);
    // All streams of a table include its current one.
    return text.endsWith(`${'/stream/*'}`) ? [text, `${text.slice(0, -1)}${streamName}`] : [text];
  });
  return [Action]
    .flat()
    .flatMap((action) => resources.map((text) => `${action} on ${text} if ${JSON.stringify(Condition)}`));
}

const streamName = '2026-11-20T19:14:11.123';

/** Replaces the stack's own table by the name that AWS assigned. */
function placeTable(template: Template): Template {
  const [id] = resourcesOf(template, 'AWS::DynamoDB::GlobalTable').keys();
  if (id === undefined) return template;
  const name = ownArn.split('/')[1];
  const text = JSON.stringify(template)
    .replaceAll(`{"Fn::GetAtt":["${id}","Arn"]}`, `"${ownArn}"`)
    .replaceAll(`{"Fn::GetAtt":["${id}","StreamArn"]}`, `"${ownArn}/stream/${streamName}"`)
    .replaceAll(`{"Ref":"${id}"}`, `"${name}"`)
    .replaceAll(new RegExp(`\\{"Fn::Join":\\["",\\["${ownArn}","([^"]*)"\\]\\]\\}`, 'g'), `"${ownArn}$1"`);
  return JSON.parse(text);
}
