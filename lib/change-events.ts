import { Duration } from 'aws-cdk-lib';
import { EventBus, Rule } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { EventSourceMapping, FilterCriteria, FilterRule, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { changeEventSource, publisherEventSource } from '#shared/contract/change-event.ts';
import { DeadLetterQueue } from './dead-letter-queue.ts';
import { EndpointFunction } from './endpoint-function.ts';
import type { Stage } from './stages.ts';
import type { Table } from './table.ts';
import { Webhook, type WebhookSettings } from './webhook.ts';

export interface ChangeEventsProps {
  readonly stage: Stage;
  readonly table: Table;
  /** Where every change is posted to as well. Default: nowhere. */
  readonly webhook?: WebhookSettings | undefined;
  /** Days for which the bus can send its events again. They name users, also those erased since. Default: 30. */
  readonly archiveDays?: number;
}

/** Makes an event of each change: the table's stream, the function that publishes it, and the bus that it goes to. */
export class ChangeEvents extends Construct {
  readonly bus: EventBus;
  readonly publisher: EndpointFunction;
  /** What the publisher could not put on the bus. */
  readonly deadLetters: DeadLetterQueue;
  readonly webhook: Webhook | undefined;

  constructor(scope: Construct, id: string, props: ChangeEventsProps) {
    super(scope, id);
    this.bus = this.#createBus(props);
    this.deadLetters = new DeadLetterQueue(this, 'DeadLetters');
    this.publisher = this.#createPublisher(props);
    this.#grantWhatItNeeds(props.table);
    this.#readStream(props.table);
    this.#keepUnpublishable();
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
    return new EndpointFunction(this, 'PublishChanges', {
      name: 'publish-changes',
      stage,
      environment: { EVENT_BUS_NAME: this.bus.eventBusName },
      // Room for ten calls of a batch, some of which have to be repeated.
      timeoutSeconds: 60,
    });
  }

  #grantWhatItNeeds(table: Table): void {
    const { role } = this.publisher;
    table.grantStream(this.publisher);
    role.addToPolicy(new PolicyStatement({ actions: ['events:PutEvents'], resources: [this.bus.eventBusArn] }));
    role.addToPolicy(new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [this.deadLetters.queueArn] }));
  }

  /**
   * One user's changes stay in order, because parallel batches of a shard never share a partition key. A batch that
   * fails is read again from its first failed record, split in halves, for as long as the stream keeps it; what it names
   * then goes to the dead-letter queue.
   * https://docs.aws.amazon.com/lambda/latest/dg/services-dynamodb-eventsourcemapping.html
   */
  #readStream(table: Table): void {
    const mapping = new EventSourceMapping(this, 'Stream', {
      target: this.publisher.invoked,
      eventSourceArn: table.streamArn,
      filters: [insertedChanges],
      // So that what was changed before the mapping was there is published too.
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize: 100,
      // A batch that fails holds up a tenth of its shard.
      parallelizationFactor: 10,
      reportBatchItemFailures: true,
      bisectBatchOnError: true,
      maxRecordAge: Duration.hours(24),
      onFailure: { bind: () => ({ destination: this.deadLetters.queueArn }) },
    });
    // Lambda tries the role when the mapping is made.
    mapping.node.addDependency(this.publisher.role);
  }

  /** The publisher's notices of what can never be published. */
  #keepUnpublishable(): void {
    new Rule(this, 'Unpublishable', {
      eventBus: this.bus,
      description: 'Changes that can never be published',
      eventPattern: { source: [publisherEventSource] },
      targets: [new SqsQueue(this.deadLetters)],
    });
  }
}

/** Of all that is written: the items that are new, and are Changes by their sort key (`shared/table/keys.ts`). */
const insertedChanges = FilterCriteria.filter({
  eventName: FilterRule.isEqual('INSERT'),
  dynamodb: { Keys: { sk: { S: FilterRule.beginsWith('CHANGE#') } } },
});
