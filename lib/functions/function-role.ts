import { Validations } from 'aws-cdk-lib';
import {
  type AddToPrincipalPolicyResult,
  PolicyDocument,
  PolicyStatement,
  Role,
  ServicePrincipal,
} from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';

/**
 * A function's role. Its statements are inline policies of the role itself, because each `AWS::IAM::Policy` is one of the 500
 * resources that a stack may have. So a statement must not name what depends on the role: its own function, or a KMS key
 * whose policy names the role.
 */
export class FunctionRole extends Role {
  readonly #statements: PolicyDocument;

  constructor(scope: Construct, id: string, { tracing }: { readonly tracing: boolean }) {
    const statements = new PolicyDocument();
    super(scope, id, {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      inlinePolicies: {
        Function: statements,
        ...(tracing && { Traces: new PolicyDocument({ statements: [traces] }) }),
      },
    });
    this.#statements = statements;
    if (tracing) acknowledgeTraces(this);
  }

  /** Throws for a statement about all resources: the finding about `*` is acknowledged for the traces alone. */
  override addToPrincipalPolicy(statement: PolicyStatement): AddToPrincipalPolicyResult {
    if (statement.resources.includes('*')) throw new Error(`${this.node.path} must not be allowed all resources`);
    this.#statements.addStatements(statement);
    return { statementAdded: true, policyDependable: this };
  }
}

const traces = new PolicyStatement({
  sid: 'Traces',
  actions: ['xray:PutTraceSegments', 'xray:PutTelemetryRecords'],
  resources: ['*'],
});

function acknowledgeTraces(role: Role): void {
  Validations.of(role).acknowledge({
    id: 'AwsSolutions-IAM5[Resource::*]',
    reason:
      'Statement Traces: xray:PutTraceSegments and xray:PutTelemetryRecords do not support resources (Service Authorization Reference).',
  });
}
