import { Stack } from 'aws-cdk-lib';
import { CfnGlobalTable } from 'aws-cdk-lib/aws-dynamodb';
import { CfnFunction } from 'aws-cdk-lib/aws-lambda';
import { CfnLogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';

/**
 * What Aspects of an organization have changed in the service so that it would be deployed and not work: no role of the service may use
 * a KMS key for data, or has the rights that Lambda needs in a network. For `node.addValidation`, which runs after all Aspects.
 */
export function unsupportedChanges(service: Construct): string[] {
  const stack = Stack.of(service);
  return service.node.findAll().flatMap((node) => {
    const reason = reasonAgainst(node, stack);
    return reason === undefined
      ? []
      : [`${node.node.path}: ${reason}. See docs/operate/deploy.md#the-rules-of-your-organization`];
  });
}

function reasonAgainst(node: unknown, stack: Stack): string | undefined {
  if (node instanceof CfnGlobalTable && JSON.stringify(stack.resolve(node.replicas)).includes('kmsMasterKeyId')) {
    return 'the table cannot have a KMS key of yours, because no function may use one';
  }
  if (node instanceof CfnLogGroup && node.kmsKeyId !== undefined) {
    return 'a log group cannot have a KMS key of yours, because CloudWatch Logs may not use it';
  }
  if (node instanceof CfnFunction && node.vpcConfig !== undefined) {
    return 'a function cannot be in a VPC, because its role has no rights there';
  }
  return undefined;
}
