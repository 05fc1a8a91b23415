import { Duration } from 'aws-cdk-lib';
import { EventBus, Rule } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import {
  EventSourceMapping,
  type EventSourceMappingProps,
  FilterCriteria,
  FilterRule,
  StartingPosition,
} from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { changeEventSource, publisherEventSource } from '#shared/contract/change.ts';
import { historyRoots } from '#shared/contract/root-purposes.ts';
import { EndpointFunction } from '../functions/endpoint-function.ts';
import type { Stage } from '../settings/stages.ts';
import { DeadLetterQueue } from './dead-letter-queue.ts';
import type { RootKey } from './root-key.ts';
import type { Table } from './table.ts';

export interface ChangeEventsProps {
  readonly stage: Stage;
  readonly table: Table;
  /** Whether this Region stands by: nothing reads the stream until it takes over. Default: `off`. */
  readonly standby?: 'on' | 'off';
  /** Days that a Change is kept in the table. */
  readonly changeRetentionDays: number;
  readonly rootKey: RootKey;
  /** The formats of webhooks; with any, requests to send something are read from the stream too. */
  readonly webhooks: readonly string[];
  /** Days for which events can be replayed. They contain user ids, even of deleted users. Default: 30. */
  readonly archiveDays?: number;
}

/**
 * Publishes each change as an event and numbers it in its feed. The table's stream has a separate reader for each task, with its
 * own position, so that a failure of one does not make the other repeat its work.
 */
export class ChangeEvents extends Construct {
  readonly bus: EventBus;
  readonly publisher: EndpointFunction;
  readonly numberer: EndpointFunction;
  /** Changes that could not be published, or not numbered. */
  readonly deadLetters: DeadLetterQueue;
  /** False while the Region stands by. */
  readonly readsStream: boolean;

  constructor(scope: Construct, id: string, props: ChangeEventsProps) {
    super(scope, id);
    this.readsStream = props.standby !== 'on';
    this.bus = this.#createBus(props);
    this.deadLetters = new DeadLetterQueue(this, 'DeadLetters');
    this.publisher = this.#createPublisher(props);
    this.numberer = this.#createNumberer(props);
    // A failing batch of the publisher blocks only a tenth of its shard. Parallel batches would number the same feeds.
    this.#readStream('Stream', this.publisher, { ...props, parallelizationFactor: 10, filters: [insertedChanges] });
    const filters = [insertedChanges, ...(props.webhooks.length > 0 ? [insertedRequests] : [])];
    this.#readStream('NumberStream', this.numberer, { ...props, parallelizationFactor: 1, filters });
    this.#routeUnpublishable();
  }

  #createBus({ stage: { serviceName }, archiveDays = 30 }: ChangeEventsProps): EventBus {
    const bus = new EventBus(this, 'Bus', { eventBusName: serviceName, description: `Every change of ${serviceName}` });
    bus.archive('Archive', {
      description: 'For applications that need changes replayed',
      eventPattern: { source: [changeEventSource] },
      retention: Duration.days(archiveDays),
    });
    return bus;
  }

  /** Verifies each change before it publishes it, signed, and therefore needs the roots of histories. */
  #createPublisher({ stage, rootKey }: ChangeEventsProps): EndpointFunction {
    const publisher = new EndpointFunction(this, 'PublishChanges', {
      name: 'publish-changes',
      stage,
      environment: { EVENT_BUS_NAME: this.bus.eventBusName },
      // Enough for a batch, with retries, even if all changes are of one user: these are published one at a time.
      timeoutSeconds: 60,
    });
    rootKey.grantUse(publisher, historyRoots);
    publisher.role.addToPolicy(
      new PolicyStatement({ actions: ['events:PutEvents'], resources: [this.bus.eventBusArn] }),
    );
    return publisher;
  }

  /** Moves pending changes to the log of their feed; reads no Change. */
  #createNumberer({ stage, table, changeRetentionDays }: ChangeEventsProps): EndpointFunction {
    const numberer = new EndpointFunction(this, 'NumberChanges', {
      name: 'number-changes',
      stage,
      environment: { TABLE_NAME: table.resource.tableName, CHANGE_RETENTION_DAYS: String(changeRetentionDays) },
      // Enough for thousands of pending changes, with retries.
      timeoutSeconds: 60,
    });
    table.grantUse(numberer, {
      queries: ['feed'],
      // The first read of a process also reads the format of the table.
      reads: ['counters', 'format'],
      writes: {
        PutItem: ['feed'],
        UpdateItem: ['feed', 'counters'],
        DeleteItem: ['feed'],
        // Nothing is counted of a deleted application.
        ConditionCheckItem: ['application'],
      },
    });
    return numberer;
  }

  /**
   * The changes of a user stay in order, because parallel batches of a shard never share a partition key. A failed batch
   * is retried from its first failed record, split in half, for as long as the stream keeps it. After that, a message
   * that identifies the records goes to the dead-letter queue.
   * https://docs.aws.amazon.com/lambda/latest/dg/services-dynamodb-eventsourcemapping.html
   */
  #readStream(
    id: string,
    reader: EndpointFunction,
    {
      table,
      parallelizationFactor,
      filters,
    }: Pick<ChangeEventsProps, 'table'> & Required<Pick<EventSourceMappingProps, 'parallelizationFactor' | 'filters'>>,
  ): void {
    table.grantStream(reader);
    reader.role.addToPolicy(
      new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [this.deadLetters.queueArn] }),
    );
    const mapping = new EventSourceMapping(this, id, {
      target: reader.invoked,
      eventSourceArn: table.streamArn,
      // Every Region's stream has the changes of all Regions: two readers would publish and number each of them twice.
      ...(!this.readsStream && { enabled: false }),
      filters,
      // Includes changes made before the mapping existed.
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize: 100,
      parallelizationFactor,
      reportBatchItemFailures: true,
      bisectBatchOnError: true,
      maxRecordAge: Duration.hours(24),
      onFailure: { bind: () => ({ destination: this.deadLetters.queueArn }) },
    });
    // Lambda checks the role's permissions when the mapping is created.
    mapping.node.addDependency(reader.role);
  }

  /** Sends the publisher's notices of changes that can never be published to the dead-letter queue. */
  #routeUnpublishable(): void {
    new Rule(this, 'Unpublishable', {
      eventBus: this.bus,
      description: 'Changes that can never be published',
      eventPattern: { source: [publisherEventSource] },
      targets: [new SqsQueue(this.deadLetters)],
    });
  }
}

/** Only inserted Changes, recognized by their sort key (`shared/table/keys/change-item-keys.ts`). */
const insertedChanges = FilterCriteria.filter({
  eventName: FilterRule.isEqual('INSERT'),
  dynamodb: { Keys: { sk: { S: FilterRule.beginsWith('CHANGE#') } } },
});

/** Requests of operators to webhooks, recognized likewise. */
const insertedRequests = FilterCriteria.filter({
  eventName: FilterRule.isEqual('INSERT'),
  dynamodb: { Keys: { sk: { S: FilterRule.beginsWith('REQUEST#') } } },
});
