import { type CfnElement, type CfnResource, Stack, Validations } from 'aws-cdk-lib';
import {
  AttributeType,
  Billing,
  ContributorInsightsMode,
  type ITableV2,
  ProjectionType,
  StreamViewType,
  TableEncryptionV2,
  TableV2,
} from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { IndexList, WriteAction } from '#shared/contract/item-kinds.ts';
import {
  type ApplicationChange,
  type CoreItemKind,
  type CoreListName,
  changeAttributes,
  type ItemKind,
  type TableUse,
  versionAttributes,
} from '#shared/contract/table-use.ts';
import type { EndpointFunction } from '../functions/endpoint-function.ts';
import { optionKinds, optionLists } from '../options/option-items.ts';
import { adoptionMetadata } from '../settings/adoption.ts';
import { removalPolicyOf, type Stage } from '../settings/stages.ts';
import { tableOfStream } from '../settings/table-arn.ts';

/** The patterns of partition keys (`shared/table/keys/`). */
const coreKeys: Readonly<Record<CoreItemKind, string>> = {
  user: 'USER#*',
  userList: 'USERS*',
  member: 'APP#*#ROLE#*',
  accessEntry: 'APP#*#USERS',
  nonce: 'NONCE#*',
  idempotency: 'IDEMPOTENCY#*',
  application: 'APP#*',
  search: 'FIND#*',
  feed: 'FEED#*',
  counters: 'OVERVIEW',
  format: 'FORMAT',
};

/** The index of each list, and the pattern of its partition keys. */
const coreLists: Readonly<Record<CoreListName, IndexList>> = {
  applications: { index: 'gsi1', partitions: 'APPS' },
  applicationUsers: { index: 'gsi1', partitions: 'APP#*#USERS' },
  userChanges: { index: 'gsi1', partitions: 'USERS#CHANGES' },
  applicationChanges: { index: 'gsi1', partitions: 'APP#*#CHANGES' },
  history: { index: 'gsi2', partitions: 'HISTORY#*' },
  blockEnds: { index: 'gsi2', partitions: 'ENDS' },
};

function partitionsOf(kind: ItemKind): string {
  return optionKinds[kind]?.partitions ?? found(coreKeys, kind);
}

/** The value of this name, which documents can misspell, because options add names. */
function found<Value>(values: Readonly<Record<string, Value>>, name: string): Value {
  const value = values[name];
  if (value === undefined) throw new Error(`Neither the core nor an option has ${name} in the table`);
  return value;
}

/** Two lists for each item: of its application or users, and of everything that was changed. */
const indexNames = ['gsi1', 'gsi2'];

export interface TableProps {
  readonly stage: Stage;
  /** The Regions with replicas of the table. Default: none. */
  readonly replicaRegions?: readonly string[];
  /** The stream ARN of an existing table, to use instead of a new one. Default: the stack creates the table. */
  readonly streamArn?: string | undefined;
  /** The name of the existing table that the stack imports as its own. Default: none. */
  readonly adoptedName?: string | undefined;
  /** The ARNs of tables that the functions may also use, while a release switches tables. Default: none. */
  readonly grantedArns?: readonly string[];
}

/**
 * The table: restorable to any second of the last 35 days and, in a stage that keeps data, protected against deletion. Or
 * an existing table with the same settings: a restored one, or the replica of another Region's stack.
 */
export class Table extends Construct {
  readonly resource: ITableV2;
  readonly #grantedArns: readonly string[];

  constructor(scope: Construct, id: string, props: TableProps) {
    super(scope, id);
    const { streamArn, adoptedName, grantedArns = [] } = props;
    this.#grantedArns = grantedArns;
    // Under exactOptionalPropertyTypes the CDK's class is not assignable to its own interface.
    this.resource = streamArn === undefined ? (this.#createTable(props) as ITableV2) : this.#findTable(streamArn);
    if (adoptedName !== undefined) {
      (this.resource.node.defaultChild as CfnResource).addMetadata(adoptionMetadata, { TableName: adoptedName });
    }
  }

  #findTable(tableStreamArn: string): ITableV2 {
    const tableArn = tableOfStream(tableStreamArn);
    return TableV2.fromTableAttributes(this, 'Items', { tableArn, tableStreamArn });
  }

  #createTable({ stage, replicaRegions = [] }: TableProps): TableV2 {
    return new TableV2(this, 'Items', {
      partitionKey: { name: 'pk', type: AttributeType.STRING },
      sortKey: { name: 'sk', type: AttributeType.STRING },
      globalSecondaryIndexes: indexNames.map((indexName) => ({
        indexName,
        partitionKey: { name: `${indexName}pk`, type: AttributeType.STRING },
        sortKey: { name: `${indexName}sk`, type: AttributeType.STRING },
        projectionType: ProjectionType.ALL,
      })),
      timeToLiveAttribute: 'ttl',
      // Required by replicas. Set from the start, because changing it later creates a new, empty stream.
      dynamoStream: StreamViewType.NEW_AND_OLD_IMAGES,
      replicas: replicaRegions.map((region) => ({ region })),
      billing: Billing.onDemand(),
      // An AWS owned key: nothing in the table is secret (API keys are derived, not stored), and a customer managed key would
      // add its price, its throttling and its availability to each request.
      encryption: TableEncryptionV2.dynamoOwnedKey(),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: stage.keepsData,
      removalPolicy: removalPolicyOf(stage),
      // Only throttled keys: without throttling it costs nothing and records no ids.
      ...(stage.contributorInsights && {
        contributorInsightsSpecification: { enabled: true, mode: ContributorInsightsMode.THROTTLED_KEYS },
      }),
    });
  }

  /** Allows the use of the table that a record declares. Nothing is limited to one application. */
  grantUse(
    fn: EndpointFunction,
    { reads = [], writes = {}, lists = [], queries = [], keyOwner, changesApplication }: TableUse,
  ): void {
    const keysOf = (kinds: readonly ItemKind[]) => kinds.map(partitionsOf);
    if (keyOwner !== undefined) this.#grantKeyUsage(fn, keyOwner);
    if (reads.length > 0) this.#allow(fn, 'BatchGetItem', keysOf(reads));
    for (const index of indexNames) {
      const listed = lists
        .map((list) => found({ ...coreLists, ...optionLists }, list))
        .flatMap((list) => (list.index === index ? [list.partitions] : []));
      const arns = this.#tableArns.map((arn) => `${arn}/index/${index}`);
      if (listed.length > 0) this.#allow(fn, 'Query', listed, arns);
    }
    if (queries.length > 0) this.#allow(fn, 'Query', keysOf(queries));
    for (const [action, kinds] of Object.entries(writes)) this.grantWrite(fn, action as WriteAction, kinds);
    if (changesApplication) this.#grantApplicationChange(fn, changesApplication);
  }

  /**
   * Allows reading the table's stream, but not the table. Lambda also needs `ListStreams`, which can be authorized only for
   * all streams that the table ever had.
   * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/iam-policy-read-stream-only.html
   */
  grantStream(fn: EndpointFunction): void {
    const granted = this.#grantedArns.map((arn) => `${arn}/stream/*`);
    const actions = ['DescribeStream', 'GetRecords', 'GetShardIterator'].map((action) => `dynamodb:${action}`);
    fn.role.addToPolicy(new PolicyStatement({ actions, resources: [this.streamArn, ...granted] }));
    fn.role.addToPolicy(
      new PolicyStatement({
        actions: ['dynamodb:ListStreams'],
        resources: [`${this.resource.tableArn}/stream/*`, ...granted],
      }),
    );
    for (const arn of [this.#arnInFindings(), ...this.#grantedArns]) {
      Validations.of(fn.role).acknowledge({
        id: `AwsSolutions-IAM5[Resource::${arn}/stream/*]`,
        reason:
          'dynamodb:ListStreams can be authorized only for all streams of a table; it returns their names. The stream of a table that is being adopted or dropped is not known here.',
      });
    }
  }

  /**
   * Allows reading these attributes of all items, and no others. A scan has no leading keys, so IAM cannot limit it to some
   * items.
   * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/specifying-conditions.html
   */
  grantScan(fn: EndpointFunction, attributes: readonly string[]): void {
    fn.role.addToPolicy(
      new PolicyStatement({
        actions: ['dynamodb:Scan'],
        resources: this.#tableArns,
        conditions: {
          'ForAllValues:StringEquals': { 'dynamodb:Attributes': [...attributes] },
          StringEquals: { 'dynamodb:Select': 'SPECIFIC_ATTRIBUTES' },
          Null: { 'dynamodb:Attributes': 'false' },
        },
      }),
    );
  }

  /** The ARN of the table, then those of the tables that the functions may also use. */
  get #tableArns(): string[] {
    return [this.resource.tableArn, ...this.#grantedArns];
  }

  /** The table's ARN as cdk-nag writes it in findings. */
  #arnInFindings(): string {
    const { node, tableArn } = this.resource;
    if (node.defaultChild === undefined) return tableArn;
    return `<${Stack.of(this).getLogicalId(node.defaultChild as CfnElement)}.Arn>`;
  }

  /** The ARN of the current stream. */
  get streamArn(): string {
    const { tableStreamArn } = this.resource;
    if (tableStreamArn === undefined) throw new Error('The table has no stream');
    return tableStreamArn;
  }

  /** Allows one write action on some kinds of items, alone or in a transaction, which IAM authorizes action by action. */
  grantWrite(fn: EndpointFunction, action: WriteAction, kinds: readonly ItemKind[]): void {
    this.#allow(fn, action, kinds.map(partitionsOf));
  }

  /**
   * Allows an action on items with these leading keys, which IAM compares. `ForAllValues` is also true for a request
   * without a leading key, so `Null` excludes that case.
   * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/specifying-conditions.html
   */
  #allow(
    fn: EndpointFunction,
    action: WriteAction | 'BatchGetItem' | 'Query',
    keys: readonly string[],
    resources: string[] = this.#tableArns,
  ): void {
    fn.role.addToPolicy(
      new PolicyStatement({
        actions: [`dynamodb:${action}`],
        resources,
        conditions: {
          'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [...keys] },
          Null: { 'dynamodb:LeadingKeys': 'false' },
        },
      }),
    );
  }

  /**
   * Allows reading, creating and changing one application and one user with the same id, listing the user, putting search
   * entries, counting the user, and reading and putting the format of the table.
   */
  grantUseOf(fn: EndpointFunction, id: string): void {
    for (const [action, keys] of [
      ['BatchGetItem', [`APP#${id}`, `USER#${id}`, coreKeys.format]],
      [
        'PutItem',
        [`APP#${id}`, `USER#${id}`, 'USERS', `FEED#${id}`, 'FEED#USERS#UNFOLLOWED', coreKeys.search, coreKeys.format],
      ],
      ['UpdateItem', [`APP#${id}`]],
    ] as const) {
      this.#allow(fn, action, keys);
    }
  }

  /**
   * Allows adding to the request count of an application near its limit and reading the new total, and nothing else; limited
   * as `#grantKeyUsage` is.
   */
  grantRequestTotals(fn: EndpointFunction): void {
    this.#grantUpdateOf(fn, 'RATE#*', ['requests', 'restingRequests', 'ttl']);
  }

  /**
   * Allows updating the day of a key's last use in the partition of its owner, and nothing else. IAM cannot compare sort
   * keys, so the condition is on the attributes. The return values are limited to the same attributes. A failed condition
   * can return the whole item, which no condition key limits; every function with this permission may read it anyway.
   * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/specifying-conditions.html
   */
  #grantKeyUsage(fn: EndpointFunction, owner: ItemKind): void {
    this.#grantUpdateOf(fn, partitionsOf(owner), ['lastUsedOn']);
  }

  /** Allows ending the closing of an application or a role, and nothing else; limited as `#grantKeyUsage` is. */
  grantReopening(fn: EndpointFunction): void {
    this.#grantUpdateOf(fn, coreKeys.application, ['closedUntil']);
  }

  /**
   * Allows changing these attributes of an application, and adding that change to its history, and nothing else of an application;
   * limited as `#grantKeyUsage` is. An item put in place of the application would have no keys.
   */
  #grantApplicationChange(fn: EndpointFunction, { attributes, ofChange }: ApplicationChange): void {
    this.#grantUpdateOf(fn, coreKeys.application, [...attributes, ...versionAttributes]);
    this.#grantAttributes(fn, 'PutItem', coreKeys.application, [...changeAttributes, ...ofChange]);
  }

  #grantUpdateOf(fn: EndpointFunction, leadingKey: string, attributes: readonly string[]): void {
    this.#grantAttributes(fn, 'UpdateItem', leadingKey, attributes);
  }

  #grantAttributes(fn: EndpointFunction, action: WriteAction, leadingKey: string, attributes: readonly string[]): void {
    fn.role.addToPolicy(
      new PolicyStatement({
        actions: [`dynamodb:${action}`],
        resources: this.#tableArns,
        conditions: {
          'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [leadingKey] },
          'ForAllValues:StringEquals': { 'dynamodb:Attributes': ['pk', 'sk', ...attributes] },
          Null: { 'dynamodb:LeadingKeys': 'false', 'dynamodb:Attributes': 'false' },
          StringEqualsIfExists: { 'dynamodb:ReturnValues': ['NONE', 'UPDATED_OLD', 'UPDATED_NEW'] },
        },
      }),
    );
  }
}
