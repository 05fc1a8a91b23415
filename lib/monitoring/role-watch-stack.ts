import { Stack, type StackProps } from 'aws-cdk-lib';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import type { Settings } from '../settings/settings.ts';
import { tagForCosts } from './cost-control.ts';
import { addRule } from './root-key-watch.ts';

export type RoleWatchStackProps = StackProps & Pick<Settings, 'stage' | 'alarmEmail' | 'costs'>;

/**
 * Notifies of changes of the functions' roles, by which somebody else could take a role, or take off what binds it to its
 * function: their trust and their policies. A stack of its own in us-east-1, where all events of IAM are, which is a global
 * service. Changes by CloudFormation are left out.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/cloudtrail-integration.html
 */
export class RoleWatchStack extends Stack {
  constructor(scope: Construct, id: string, props: RoleWatchStackProps) {
    const { stage, alarmEmail, costs } = props;
    super(scope, id, { ...props, stackName: `${stage.stackName}-RoleWatch`, env: { region: 'us-east-1' } });
    const topic = new Topic(this, 'Alarms', { displayName: `${stage.serviceName} roles`, enforceSSL: true });
    if (alarmEmail !== undefined) topic.addSubscription(new EmailSubscription(alarmEmail));
    addRule(this, 'Roles', {
      topic,
      description: 'Changes of the trust and the policies of the roles of the functions, not by CloudFormation',
      source: 'aws.iam',
      detail: {
        sourceIPAddress: [{ 'anything-but': 'cloudformation.amazonaws.com' }],
        eventName: [
          'UpdateAssumeRolePolicy',
          ...['PutRolePolicy', 'DeleteRolePolicy', 'AttachRolePolicy', 'DetachRolePolicy'],
          ...['PutRolePermissionsBoundary', 'DeleteRolePermissionsBoundary'],
        ],
        requestParameters: { roleName: [{ prefix: `${stage.stackName}-` }] },
      },
    });
    tagForCosts(this, stage, costs);
  }
}
