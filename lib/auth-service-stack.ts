import { Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { bootstrapProps, boundRoles } from './bootstrap/bootstrap-props.ts';
import { tagForCosts } from './monitoring/cost-control.ts';
import { AuthService } from './service-construct.ts';
import { type GivenSettings, isSetting } from './settings/given-settings.ts';
import { checkSettings } from './settings/settings.ts';

export type AuthServiceStackProps = StackProps & GivenSettings;

/** The stack of a stage: the service alone, in the account and through the bootstrap that `accounts` of the context names. */
export class AuthServiceStack extends Stack {
  readonly service: AuthService;

  /** What the properties say of the stack itself comes before what the stage does. */
  constructor(scope: Construct, id: string, props: AuthServiceStackProps) {
    const entries = Object.entries(props).filter(([, value]) => value !== undefined);
    const given = Object.fromEntries(entries.filter(([name]) => isSetting(name)));
    const ofStack: StackProps = Object.fromEntries(entries.filter(([name]) => !isSetting(name)));
    const { stage, region, ...settings } = checkSettings(scope.node, props);
    super(scope, id, {
      stackName: stage.stackName,
      terminationProtection: stage.keepsData,
      ...bootstrapProps(settings, region),
      ...ofStack,
    });
    boundRoles(this, settings);
    const { region: _, ...others } = given;
    // Hidden from the logical ids of resources, which are those of a stack that contains the parts directly.
    this.service = new AuthService(this, 'Default', others);
    tagForCosts(this, stage);
  }
}
