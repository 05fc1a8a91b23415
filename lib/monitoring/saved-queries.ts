import { Stack, type StackProps } from 'aws-cdk-lib';
import { CfnQueryDefinition } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { bootstrapProps } from '../bootstrap/bootstrap-props.ts';
import type { AccountSettings } from '../settings/account-settings.ts';
import type { Settings } from '../settings/settings.ts';

/**
 * Questions to the lines about requests, in the language of CloudWatch Logs Insights, by the names under which the console
 * lists them. In the last one, replace the id of the key.
 */
export const savedQueries: Readonly<Record<string, readonly string[]>> = {
  'top callers': [
    'filter message = "request"',
    'stats count() as requests, pct(durationMs, 99) as p99, sum(consumedCapacity) as units by keyId, operator, sourceIp',
    'sort requests desc',
    'limit 100',
  ],
  'refusals by reason': [
    'filter message = "request" and status >= 400',
    'stats count() as refused by code, route, appId, sourceIp',
    'sort refused desc',
    'limit 100',
  ],
  'latency by function': [
    'filter message = "request"',
    'stats count() as requests, pct(durationMs, 50) as p50, pct(durationMs, 99) as p99, max(durationMs) as slowest, count(cold) as coldStarts by route',
    'sort p99 desc',
  ],
  'what a key did': [
    'filter message = "request" and keyId = "svk_k1_crm_REPLACE"',
    'stats count() as requests, min(timestamp) as first, max(timestamp) as last by sourceIp, route, status',
    'sort requests desc',
  ],
};

export type SavedQueriesStackProps = StackProps & Pick<Settings, 'stage' | 'region' | keyof AccountSettings>;

/**
 * The queries as CloudWatch lists them, under the stage's service. A stack of its own, deployed once: they depend on nothing in
 * the service's stack, as whoever runs one chooses its log groups. They cost only when they run.
 */
export class SavedQueriesStack extends Stack {
  constructor(scope: Construct, id: string, props: SavedQueriesStackProps) {
    const { stage, region } = props;
    super(scope, id, { ...props, stackName: `${stage.stackName}-Queries`, ...bootstrapProps(props, region) });
    for (const [name, commands] of Object.entries(savedQueries)) {
      new CfnQueryDefinition(this, name.replaceAll(/\W/g, ''), {
        name: `${stage.serviceName}/${name}`,
        queryString: commands.join('\n| '),
      });
    }
  }
}
