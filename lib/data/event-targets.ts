import { CfnOutput, Duration, SecretValue, Stack, Validations } from 'aws-cdk-lib';
import {
  ApiDestination,
  Authorization,
  Connection,
  type EventBus,
  HttpMethod,
  type IApiDestination,
  Rule,
} from 'aws-cdk-lib/aws-events';
import { ApiDestination as ApiDestinationTarget } from 'aws-cdk-lib/aws-events-targets';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { changeEventSource } from '#shared/contract/change.ts';
import type { WebhookSettings } from '../settings/api-settings.ts';

export interface WebhookProps extends WebhookSettings {
  readonly bus: EventBus;
}

/** Posts every change to one URL. Events that are not accepted within a day go to its own dead-letter queue. */
export class Webhook extends Construct {
  readonly deadLetters: DeadLetterQueue;

  constructor(scope: Construct, id: string, { bus, url, secretName }: WebhookProps) {
    super(scope, id);
    this.deadLetters = new DeadLetterQueue(this, 'DeadLetters');
    const connection = new Connection(this, 'Connection', {
      authorization: Authorization.apiKey('authorization', SecretValue.secretsManager(secretName)),
      description: 'How auth-service identifies itself to its webhook',
    });
    const stack = Stack.of(this);
    // For bin/rotate-webhook-secret.sh.
    new CfnOutput(stack, 'WebhookConnectionName', { value: connection.connectionName });
    new CfnOutput(stack, 'WebhookSecretName', { value: secretName });
    const destination = new ApiDestination(this, 'Destination', {
      connection,
      endpoint: url,
      httpMethod: HttpMethod.POST,
      // Excess events wait. A system that can take more subscribes to the event bus directly.
      rateLimitPerSecond: 10,
    });
    new Rule(this, 'Rule', {
      eventBus: bus,
      description: 'All changes, for the webhook',
      eventPattern: { source: [changeEventSource] },
      targets: [
        // Under exactOptionalPropertyTypes the CDK's class is not assignable to its own interface.
        new ApiDestinationTarget(destination as IApiDestination, {
          deadLetterQueue: this.deadLetters,
          maxEventAge: Duration.hours(24),
          retryAttempts: 185,
        }),
      ],
    });
  }
}

/** A dead-letter queue: encrypted, TLS only, with messages kept for 14 days, the maximum of SQS. */
export class DeadLetterQueue extends Queue {
  constructor(scope: Construct, id: string) {
    super(scope, id, {
      retentionPeriod: Duration.days(14),
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
    });
    Validations.of(this).acknowledge({
      id: 'AwsSolutions-SQS3',
      reason: 'This is itself a dead-letter queue; a person handles its messages.',
    });
  }
}
