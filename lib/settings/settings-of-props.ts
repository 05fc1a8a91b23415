import { Stack, Token } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { AuthServiceProps } from './auth-service-props.ts';
import { checkGiven } from './given-settings.ts';
import { checkSettings, type Settings } from './settings.ts';

/** Reads the settings of a service from the properties of its construct; throws on an invalid one and names it. */
export function settingsOf(service: Construct, props: AuthServiceProps): Settings {
  const { serviceName, ...others } = props;
  const stack = Stack.of(service);
  if (stack.nestedStackParent !== undefined) {
    throw new Error(
      `${service.node.path} is in a nested stack, whose name is not known: put it into a stack of its own`,
    );
  }
  if (serviceName !== undefined && !/^[a-z][a-z0-9-]{0,39}$/.test(serviceName)) {
    throw new Error(
      `The setting serviceName must begin with a lower-case letter and have up to 40 lower-case letters, digits and hyphens, not ${serviceName}`,
    );
  }
  const region = Token.isUnresolved(stack.region) ? undefined : stack.region;
  const names = { stackName: stack.stackName, ...(serviceName !== undefined && { serviceName }) };
  return checkSettings(service.node, checkGiven({ ...others, region }), names);
}
