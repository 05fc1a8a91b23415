import { Aws, Stack, type StackProps } from 'aws-cdk-lib';
import { EventField, Rule, RuleTargetInput } from 'aws-cdk-lib/aws-events';
import { SnsTopic } from 'aws-cdk-lib/aws-events-targets';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import { bootstrapProps } from '../bootstrap/bootstrap-props.ts';
import type { AccountSettings } from '../settings/account-settings.ts';
import type { Settings } from '../settings/settings.ts';
import type { Stage } from '../settings/stages.ts';
import { tagForCosts } from './cost-control.ts';

export interface RootKeyWatchProps {
  readonly stage: Stage;
  /** The root keys, and the key that signs the heads, if there is one. */
  readonly keyArns: readonly string[];
  /** Notified of each event. */
  readonly topic: Topic;
}

/**
 * Notifies of changes that could give someone the root keys: to the policies of the keys and, outside CloudFormation, to
 * functions that have them or get the role of one. EventBridge receives these events only in an account with a CloudTrail
 * trail of management events; those of IAM arrive only in us-east-1 (`RoleWatchStack`).
 * https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-service-event-cloudtrail.html
 */
export class RootKeyWatch extends Construct {
  constructor(scope: Construct, id: string, { stage, keyArns, topic }: RootKeyWatchProps) {
    super(scope, id);
    const byHand = { sourceIPAddress: [{ 'anything-but': 'cloudformation.amazonaws.com' }] };
    addRule(this, 'KeyPolicy', {
      topic,
      description:
        'Changes to the policies of the root keys and of the key of the heads, and copies, grants and deletions of the keys',
      source: 'aws.kms',
      // Including CloudFormation: the key's policy changes only with the functions that may use it.
      detail: {
        eventName: ['PutKeyPolicy', 'CreateGrant', 'ReplicateKey', 'DisableKey', 'ScheduleKeyDeletion'],
        resources: { ARN: keyArns },
      },
    });
    addRule(this, 'FunctionCode', {
      topic,
      description: 'Changes to the code, settings and callers of the functions, outside CloudFormation',
      source: 'aws.lambda',
      detail: {
        ...byHand,
        // CloudTrail appends the date of the API to the name: UpdateFunctionCode20150331v2.
        eventName: ['UpdateFunctionCode', 'UpdateFunctionConfiguration', 'AddPermission'].map((prefix) => ({ prefix })),
        // A name, or an ARN that contains it.
        requestParameters: { functionName: [{ wildcard: `*${stage.stackName}-*` }] },
      },
    });
    addRule(this, 'RoleUse', {
      topic,
      description: "Functions that get the role of one of the service's functions, outside CloudFormation",
      source: 'aws.lambda',
      detail: {
        ...byHand,
        eventName: ['CreateFunction', 'UpdateFunctionConfiguration'].map((prefix) => ({ prefix })),
        requestParameters: {
          role: [{ prefix: `arn:${Aws.PARTITION}:iam::${Aws.ACCOUNT_ID}:role/${stage.stackName}-` }],
        },
      },
    });
  }
}

export type RoleWatchStackProps = StackProps & Pick<Settings, 'stage' | 'alarmEmail' | keyof AccountSettings>;

/**
 * Notifies of changes to the trust and policies of the functions' roles, by which someone else could assume a role, or remove
 * what binds it to its function, and of changes to the policies that several of them share. A separate stack in us-east-1: IAM is a global service, and all its events arrive there.
 * Changes by CloudFormation are left out.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/cloudtrail-integration.html
 */
export class RoleWatchStack extends Stack {
  constructor(scope: Construct, id: string, props: RoleWatchStackProps) {
    const { stage, alarmEmail } = props;
    super(scope, id, {
      ...props,
      stackName: `${stage.stackName}-RoleWatch`,
      ...bootstrapProps(props, 'us-east-1'),
    });
    const topic = new Topic(this, 'Alarms', { displayName: `${stage.serviceName} roles`, enforceSSL: true });
    if (alarmEmail !== undefined) topic.addSubscription(new EmailSubscription(alarmEmail));
    addRule(this, 'Roles', {
      topic,
      description: "Changes to the trust and policies of the functions' roles, outside CloudFormation",
      source: 'aws.iam',
      detail: {
        sourceIPAddress: [{ 'anything-but': 'cloudformation.amazonaws.com' }],
        eventName: [
          'UpdateAssumeRolePolicy',
          'PutRolePolicy',
          'DeleteRolePolicy',
          'AttachRolePolicy',
          'DetachRolePolicy',
          'PutRolePermissionsBoundary',
          'DeleteRolePermissionsBoundary',
        ],
        requestParameters: { roleName: [{ prefix: `${stage.stackName}-` }] },
      },
    });
    addRule(this, 'Policies', {
      topic,
      description: 'Changes to the policies that bind roles to their functions, outside CloudFormation',
      source: 'aws.iam',
      detail: {
        sourceIPAddress: [{ 'anything-but': 'cloudformation.amazonaws.com' }],
        eventName: ['CreatePolicyVersion', 'SetDefaultPolicyVersion', 'DeletePolicy'],
        requestParameters: {
          policyArn: [{ prefix: `arn:${Aws.PARTITION}:iam::${Aws.ACCOUNT_ID}:policy/${stage.stackName}-` }],
        },
      },
    });
    tagForCosts(this, stage);
  }
}

interface WatchedCall {
  readonly topic: Topic;
  readonly description: string;
  readonly source: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** A rule for calls of an AWS API, whose message says who made the call, when and from where. */
function addRule(scope: Construct, id: string, { topic, description, source, detail }: WatchedCall): Rule {
  const of = (path: string) => EventField.fromPath(`$.detail.${path}`);
  const message = `${of('eventName')} by ${of('userIdentity.arn')} from ${of('sourceIPAddress')} at ${of('eventTime')}, event ${of('eventID')}. ${description}. Error, if it was refused: ${of('errorCode')}. What to do: docs/operate/runbook.md#access-to-the-root-keys`;
  return new Rule(scope, id, {
    description,
    eventPattern: { source: [source], detailType: ['AWS API Call via CloudTrail'], detail: { ...detail } },
    targets: [new SnsTopic(topic, { message: RuleTargetInput.fromText(message) })],
  });
}
