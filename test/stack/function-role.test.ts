import { expect, test } from '@jest/globals';
import { App, Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { FunctionRole } from '../../lib/functions/function-role.ts';

test.each([true, false])('a role accepts no statement about all resources, with tracing %s', (tracing) => {
  const role = new FunctionRole(new Stack(new App(), 'Stack'), 'Role', { tracing });
  const statement = new PolicyStatement({ actions: ['s3:GetObject'], resources: ['*'] });
  expect(() => role.addToPolicy(statement)).toThrow('Stack/Role must not be allowed all resources');
});
