import { type CfnElement, Stack, Validations } from 'aws-cdk-lib';
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
import type { EndpointFunction } from './endpoint-function.ts';
import { removalPolicyOf, type Stage } from './stages.ts';

/** The kinds of items that a function may write, by the pattern of their partition keys (`shared/table/keys.ts`). */
const leadingKeys = {
  /** User, Access, and a user's Changes. */
  user: 'USER#*',
  /** The members of a role. */
  member: 'APP#*#ROLE#*',
  nonce: 'NONCE#*',
  /** Application, Role, Key use, an application's Changes; the members of its roles too. */
  application: 'APP#*',
} as const;

export type ItemKind = keyof typeof leadingKeys;

export type WriteAction = 'PutItem' | 'UpdateItem' | 'DeleteItem' | 'ConditionCheckItem';

export interface TableProps {
  readonly stage: Stage;
  /** Where copies of the table are kept. Default: nowhere. */
  readonly replicaRegions?: readonly string[];
  /** The ARN of the stream of a table that is there already, which is then the one. Default: the stack makes one. */
  readonly streamArn?: string | undefined;
}

/**
 * The one table: restorable to any second of the last 35 days and, where the stage keeps data, guarded against deletion.
 * Or one that was restored, or that another Region's stack keeps a copy in; it has to be made like this one.
 */
export class Table extends Construct {
  readonly resource: ITableV2;

  constructor(scope: Construct, id: string, props: TableProps) {
    super(scope, id);
    const { streamArn } = props;
    // The class declares an optional property less strictly than its own interface.
    this.resource = streamArn === undefined ? (this.#createTable(props) as ITableV2) : this.#findTable(streamArn);
  }

  /** The stream's name is that of a time, behind the table's. */
  #findTable(tableStreamArn: string): ITableV2 {
    const tableArn = tableStreamArn.replace(/\/stream\/.*/, '');
    return TableV2.fromTableAttributes(this, 'Items', { tableArn, tableStreamArn });
  }

  #createTable({ stage, replicaRegions = [] }: TableProps): TableV2 {
    return new TableV2(this, 'Items', {
      partitionKey: { name: 'pk', type: AttributeType.STRING },
      sortKey: { name: 'sk', type: AttributeType.STRING },
      globalSecondaryIndexes: [
        {
          indexName: 'gsi1',
          partitionKey: { name: 'gsi1pk', type: AttributeType.STRING },
          sortKey: { name: 'gsi1sk', type: AttributeType.STRING },
          projectionType: ProjectionType.ALL,
        },
      ],
      timeToLiveAttribute: 'ttl',
      // As replicas need it; another stream would not hold what this one still has, so it is so from the beginning.
      dynamoStream: StreamViewType.NEW_AND_OLD_IMAGES,
      replicas: replicaRegions.map((region) => ({ region })),
      billing: Billing.onDemand(),
      // A key of AWS: nothing in the table is secret (API keys are derived, not stored), and a key of one's own would
      // add its price, its throttling and its availability to each request.
      encryption: TableEncryptionV2.dynamoOwnedKey(),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: stage.keepsData,
      removalPolicy: removalPolicyOf(stage),
      // Of the keys that are throttled alone: what is not costs nothing so, and is named nowhere.
      ...(stage.contributorInsights && {
        contributorInsightsSpecification: { enabled: true, mode: ContributorInsightsMode.THROTTLED_KEYS },
      }),
    });
  }

  /** Allows to read items by their keys, many at once; no index, no query, no scan. */
  grantBatchRead(fn: EndpointFunction): void {
    fn.role.addToPolicy(
      new PolicyStatement({ actions: ['dynamodb:BatchGetItem'], resources: [this.resource.tableArn] }),
    );
  }

  /** Allows to list the items of a partition, of the table or of its index; no scan. */
  grantQuery(fn: EndpointFunction): void {
    const { tableArn } = this.resource;
    fn.role.addToPolicy(
      new PolicyStatement({ actions: ['dynamodb:Query'], resources: [tableArn, `${tableArn}/index/gsi1`] }),
    );
  }

  /** Allows to list the changes of an application, by the index alone, whose partition key is what IAM compares. */
  grantQueryOfChanges(fn: EndpointFunction): void {
    fn.role.addToPolicy(
      new PolicyStatement({
        actions: ['dynamodb:Query'],
        resources: [`${this.resource.tableArn}/index/gsi1`],
        conditions: {
          'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['APP#*#CHANGES'] },
          Null: { 'dynamodb:LeadingKeys': 'false' },
        },
      }),
    );
  }

  /**
   * Allows to read the table's stream, and with it what is written, but not the table. Lambda asks for `ListStreams` when
   * it begins, which is authorized for all streams that the table ever had.
   * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/iam-policy-read-stream-only.html
   */
  grantStream(fn: EndpointFunction): void {
    const { tableArn } = this.resource;
    const actions = ['DescribeStream', 'GetRecords', 'GetShardIterator'].map((action) => `dynamodb:${action}`);
    fn.role.addToPolicy(new PolicyStatement({ actions, resources: [this.streamArn] }));
    fn.role.addToPolicy(
      new PolicyStatement({ actions: ['dynamodb:ListStreams'], resources: [`${tableArn}/stream/*`] }),
    );
    Validations.of(fn.role).acknowledge({
      id: `AwsSolutions-IAM5[Resource::${this.#arnInFindings()}/stream/*]`,
      reason: "dynamodb:ListStreams is authorized for a table's streams as a whole; it tells their names.",
    });
  }

  /** As cdk-nag writes it. */
  #arnInFindings(): string {
    const { node, tableArn } = this.resource;
    if (node.defaultChild === undefined) return tableArn;
    return `<${Stack.of(this).getLogicalId(node.defaultChild as CfnElement)}.Arn>`;
  }

  /** The ARN of the stream, which a new one would not have. */
  get streamArn(): string {
    const { tableStreamArn } = this.resource;
    if (tableStreamArn === undefined) throw new Error('The table has no stream');
    return tableStreamArn;
  }

  /**
   * Allows one way to write one or more kinds of items, alone or in a transaction, which IAM authorises action by action.
   * `ForAllValues` also holds when a request has no leading key, so that case is refused beside it.
   * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/specifying-conditions.html
   */
  grantWrite(fn: EndpointFunction, action: WriteAction, kinds: readonly ItemKind[]): void {
    fn.role.addToPolicy(
      new PolicyStatement({
        actions: [`dynamodb:${action}`],
        resources: [this.resource.tableArn],
        conditions: {
          'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': kinds.map((kind) => leadingKeys[kind]) },
          Null: { 'dynamodb:LeadingKeys': 'false' },
        },
      }),
    );
  }

  /**
   * Allows to note in an application's partition the day that a key was last used, and nothing else: IAM sees no sort
   * key, so the attribute is what sets it apart. An answer may show no attribute beyond those either.
   * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/specifying-conditions.html
   */
  grantKeyUse(fn: EndpointFunction): void {
    fn.role.addToPolicy(
      new PolicyStatement({
        actions: ['dynamodb:UpdateItem'],
        resources: [this.resource.tableArn],
        conditions: {
          'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [leadingKeys.application] },
          'ForAllValues:StringEquals': { 'dynamodb:Attributes': ['pk', 'sk', 'lastUsedOn'] },
          Null: { 'dynamodb:LeadingKeys': 'false', 'dynamodb:Attributes': 'false' },
          StringEqualsIfExists: { 'dynamodb:ReturnValues': ['NONE', 'UPDATED_OLD', 'UPDATED_NEW'] },
        },
      }),
    );
  }
}
