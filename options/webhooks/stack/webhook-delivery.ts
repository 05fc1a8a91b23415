import { CfnOutput, Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as FunctionTarget } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { KeySpec } from 'aws-cdk-lib/aws-kms';
import { EventInvokeConfig } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { createSigningKey, denyElsewhere, denyUse, exceptRoles } from '#lib/data/key-policy.ts';
import type { RootKey } from '#lib/data/root-key.ts';
import type { Table } from '#lib/data/table.ts';
import { EndpointFunction } from '#lib/functions/endpoint-function.ts';
import type { Stage } from '#lib/settings/stages.ts';
import { historyRoots } from '#shared/contract/root-purposes.ts';
import { changesApplication } from '../contract/own-webhook-documents.ts';
import { webhookRoots } from '../contract/webhook-names.ts';

export interface WebhooksProps {
  readonly stage: Stage;
  readonly table: Table;
  readonly rootKey: RootKey;
  /** The formats of deliveries; `set` requires a KMS key of its own. */
  readonly formats: readonly string[];
  /** The URL of the service. */
  readonly apiUrl: string;
  /** Days that a Change is kept in the table. */
  readonly changeRetentionDays: number;
  /** Whether this Region stands by: then another one delivers. Default: `off`. */
  readonly standby?: 'on' | 'off';
  /** The account's quota of concurrent executions. */
  readonly accountConcurrency: number;
}

/** Environments for deliveries: so many receivers can be slow at once, before others wait for them. */
const deliveryEnvironments = 50;

/**
 * Delivers the feed of each application to its webhooks. Each delivery is an invocation for one webhook, so a slow receiver holds
 * up no other one, in environments of their own, so that deliveries take none from requests. Whoever makes a change visible wakes
 * the function, and each minute so does a schedule, for retries. Neither function is part of releases: nobody waits for them.
 */
export class Webhooks extends Construct {
  readonly deliverer: EndpointFunction;
  readonly waker: EndpointFunction;
  /** The key that signs security events; undefined without the format `set`. */
  readonly eventKeyArn: string | undefined;

  constructor(scope: Construct, id: string, props: WebhooksProps) {
    super(scope, id);
    const denial = denyUse('kms:Sign');
    this.eventKeyArn = props.formats.includes('set') ? this.#createKey(props, denial) : undefined;
    this.deliverer = this.#createDeliverer(props);
    if (this.eventKeyArn !== undefined) {
      exceptRoles(denial, [this.deliverer.role.roleArn]);
      this.#allowSigning(this.eventKeyArn);
    }
    this.waker = this.#createWaker(props);
  }

  /** Lets a function wake single webhooks, and all of them. */
  letWake(fn: EndpointFunction): void {
    fn.function.addEnvironment('DELIVER_WEBHOOK_FUNCTION', this.deliverer.function.functionArn);
    fn.function.addEnvironment('WAKE_WEBHOOKS_FUNCTION', this.waker.function.functionArn);
    fn.letInvoke(this.deliverer.function, this.waker.function);
  }

  /** Lets a function read the public part of the key that signs security events, if there is one. */
  letReadKey(fn: EndpointFunction | undefined): void {
    if (fn === undefined || this.eventKeyArn === undefined) return;
    fn.function.addEnvironment('EVENT_KEY_ARN', this.eventKeyArn);
    fn.role.addToPolicy(new PolicyStatement({ actions: ['kms:GetPublicKey'], resources: [this.eventKeyArn] }));
  }

  #createDeliverer(props: WebhooksProps): EndpointFunction {
    const { stage, table, rootKey, formats, apiUrl, changeRetentionDays, accountConcurrency } = props;
    const fn = new EndpointFunction(this, 'Deliver', {
      name: 'deliver-webhook',
      stage,
      isReleased: false,
      environment: {
        TABLE_NAME: table.resource.tableName,
        CHANGE_RETENTION_DAYS: String(changeRetentionDays),
        WEBHOOK_FORMATS: formats.join(','),
        API_URL: apiUrl,
        ...(this.eventKeyArn !== undefined && { EVENT_KEY_ARN: this.eventKeyArn }),
      },
      memorySizeMb: 512,
      // Several rounds of deliveries; what takes longer continues in another invocation.
      timeoutSeconds: 300,
    });
    // It verifies and signs the changes that it delivers.
    rootKey.grantUse(fn, webhookRoots, historyRoots);
    table.grantUse(fn, {
      reads: ['application', 'user', 'webhook', 'format'],
      queries: ['feed', 'webhook'],
      writes: { PutItem: ['webhook'], UpdateItem: ['webhook'], DeleteItem: ['webhook'] },
    });
    // A new account has a quota of which nothing can be reserved.
    if (accountConcurrency >= 10 * deliveryEnvironments) fn.reserveConcurrency(deliveryEnvironments);
    this.#allowContinuing(fn);
    return fn;
  }

  /** Nothing is invoked twice: what an invocation leaves is found by the next one. */
  #allowContinuing(fn: EndpointFunction): void {
    new EventInvokeConfig(fn, 'Invocations', {
      function: fn.function,
      retryAttempts: 0,
      maxEventAge: Duration.minutes(5),
    });
    fn.letInvokeDependent('Continue', fn);
  }

  /** It also turns webhooks off, which changes their applications: whoever talks to receivers only notes which. */
  #createWaker({ stage, table, rootKey, standby, changeRetentionDays }: WebhooksProps): EndpointFunction {
    const fn = new EndpointFunction(this, 'Wake', {
      name: 'wake-webhooks',
      stage,
      isReleased: false,
      environment: {
        TABLE_NAME: table.resource.tableName,
        CHANGE_RETENTION_DAYS: String(changeRetentionDays),
        DELIVER_WEBHOOK_FUNCTION: this.deliverer.function.functionArn,
      },
      memorySizeMb: 256,
    });
    rootKey.grantUse(fn, historyRoots);
    table.grantUse(fn, {
      reads: ['application', 'format'],
      queries: ['webhook'],
      writes: { PutItem: ['feed'], UpdateItem: ['webhook'] },
      changesApplication,
    });
    // The deliverer depends on the policy of the same roots, and so on this role.
    fn.letInvokeDependent('Wake', this.deliverer);
    new Rule(this, 'EachMinute', {
      description: `Retries of the webhooks of ${stage.serviceName}`,
      schedule: Schedule.rate(Duration.minutes(1)),
      // Two Regions would deliver everything twice.
      ...(standby === 'on' && { enabled: false }),
      targets: [new FunctionTarget(fn.function, { retryAttempts: 0, maxEventAge: Duration.minutes(1) })],
    });
    return fn;
  }

  #createKey({ stage }: WebhooksProps, denial: PolicyStatement): string {
    const description = `Signs the security events of ${stage.serviceName}`;
    const { keyArn } = createSigningKey(this, { description, keySpec: KeySpec.RSA_2048, stage, denial });
    new CfnOutput(this.node.scope ?? this, 'EventKeyArn', {
      value: keyArn,
      description: 'KMS key that signs security events',
    });
    return keyArn;
  }

  #allowSigning(keyArn: string): void {
    this.deliverer.allowUseOfKey(
      new PolicyStatement({
        actions: ['kms:Sign'],
        resources: [keyArn],
        conditions: {
          StringEquals: { 'kms:SigningAlgorithm': 'RSASSA_PKCS1_V1_5_SHA_256', 'kms:MessageType': 'RAW' },
        },
      }),
    );
    denyElsewhere(this.deliverer, 'kms:Sign', [keyArn], 'SignsOnlyInItsFunction');
  }
}
