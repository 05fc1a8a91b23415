import { Duration } from 'aws-cdk-lib';
import { EventBus, Rule } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { EventSourceMapping, FilterCriteria, FilterRule, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { changeEventSource, publisherEventSource } from '#shared/contract/change.ts';
import { EndpointFunction } from '../functions/endpoint-function.ts';
import type { WebhookSettings } from '../settings/api-settings.ts';
import type { Stage } from '../settings/stages.ts';
import { DeadLetterQueue, Webhook } from './event-targets.ts';
import type { Table } from './table.ts';

export interface ChangeEventsProps {
  readonly stage: Stage;
  readonly table: Table;
  /** A webhook that also gets every change. Default: none. */
  readonly webhook?: WebhookSettings | undefined;
  /** Days for which events can be replayed. They contain ids of users, even of deleted ones. Default: 30. */
  readonly archiveDays?: number;
}

/**
 * Publishes each change as an event, and adds it to the global history: the two readers of the table's stream, each with a
 * position of its own, so that neither repeats its work because the other failed, and the event bus.
 */
export class ChangeEvents extends Construct {
  readonly bus: EventBus;
  readonly publisher: EndpointFunction;
  readonly historyWriter: EndpointFunction;
  /** Changes that the publisher could not put on the bus, or the other reader could not add to the global history. */
  readonly deadLetters: DeadLetterQueue;
  readonly webhook: Webhook | undefined;

  constructor(scope: Construct, id: string, props: ChangeEventsProps) {
    super(scope, id);
    this.bus = this.#createBus(props);
    this.deadLetters = new DeadLetterQueue(this, 'DeadLetters');
    this.publisher = this.#createPublisher(props);
    this.historyWriter = this.#createHistoryWriter(props);
    this.#readStream('Stream', this.publisher, props.table);
    this.#readStream('HistoryStream', this.historyWriter, props.table);
    this.#routeUnpublishable();
    this.webhook = props.webhook && new Webhook(this, 'Webhook', { bus: this.bus, ...props.webhook });
  }

  #createBus({ stage: { serviceName }, archiveDays = 30 }: ChangeEventsProps): EventBus {
    const bus = new EventBus(this, 'Bus', { eventBusName: serviceName, description: `Every change of ${serviceName}` });
    bus.archive('Archive', {
      description: 'For applications that have to hear of changes again',
      eventPattern: { source: [changeEventSource] },
      retention: Duration.days(archiveDays),
    });
    return bus;
  }

  #createPublisher({ stage }: ChangeEventsProps): EndpointFunction {
    const publisher = new EndpointFunction(this, 'PublishChanges', {
      name: 'publish-changes',
      stage,
      environment: { EVENT_BUS_NAME: this.bus.eventBusName },
      // Enough for the changes of a batch one after the other, as those of one user are put, with retries.
      timeoutSeconds: 60,
    });
    publisher.role.addToPolicy(
      new PolicyStatement({ actions: ['events:PutEvents'], resources: [this.bus.eventBusArn] }),
    );
    return publisher;
  }

  /** It adds a change on condition that the change is there, and reads none. */
  #createHistoryWriter({ stage, table }: ChangeEventsProps): EndpointFunction {
    const writer = new EndpointFunction(this, 'WriteHistory', {
      name: 'write-history',
      stage,
      environment: { TABLE_NAME: table.resource.tableName },
      // Enough for the two transactions of a batch, with retries.
      timeoutSeconds: 60,
    });
    table.grantWrite(writer, 'PutItem', ['history']);
    table.grantWrite(writer, 'ConditionCheckItem', ['user', 'application']);
    return writer;
  }

  /**
   * The changes of a user stay in order, because parallel batches of a shard never share a partition key. A failed batch
   * is retried from its first failed record, split in halves, for as long as the stream keeps it. After that, a message
   * that identifies the records goes to the dead-letter queue.
   * https://docs.aws.amazon.com/lambda/latest/dg/services-dynamodb-eventsourcemapping.html
   */
  #readStream(id: string, reader: EndpointFunction, table: Table): void {
    table.grantStream(reader);
    reader.role.addToPolicy(
      new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [this.deadLetters.queueArn] }),
    );
    const mapping = new EventSourceMapping(this, id, {
      target: reader.invoked,
      eventSourceArn: table.streamArn,
      filters: [insertedChanges],
      // Also takes changes from before the mapping existed.
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize: 100,
      // A failing batch blocks only a tenth of its shard.
      parallelizationFactor: 10,
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

/** Only new items that are Changes, by their sort key (`shared/table/keys.ts`). */
const insertedChanges = FilterCriteria.filter({
  eventName: FilterRule.isEqual('INSERT'),
  dynamodb: { Keys: { sk: { S: FilterRule.beginsWith('CHANGE#') } } },
});
