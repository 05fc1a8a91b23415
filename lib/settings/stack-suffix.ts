import { Aws, Fn } from 'aws-cdk-lib';

/**
 * The last part of the UUID in the stack's id: twelve hexadecimal digits, unique to the stack. A stack that is created again
 * has another one, so a name with it does not collide with what the earlier one left.
 */
export function stackSuffix(): string {
  const uuid = Fn.select(2, Fn.split('/', Aws.STACK_ID));
  return Fn.select(4, Fn.split('-', uuid));
}
