import * as v from 'valibot';
import type { Authorization } from '../../local/iam/authorization.ts';
import { openAssembly } from '../../local/read-stack.ts';
import { functionArn, type TemplateResources } from '../../local/template-resources.ts';
import { resourcesOf, templateIn } from '../stack/synthesized-stack.ts';

/** What AWS does with the role of a function or a deployment. */
export interface PlatformTouch {
  readonly role: string;
  readonly authorization: Authorization;
}

const functionSchema = v.object({
  Role: v.string(),
  LoggingConfig: v.object({ LogGroup: v.string() }),
  TracingConfig: v.optional(v.object({ Mode: v.string() })),
});
const mappingSchema = v.object({
  FunctionName: v.string(),
  EventSourceArn: v.string(),
  DestinationConfig: v.object({ OnFailure: v.object({ Destination: v.string() }) }),
});
const integrationSchema = v.object({ CredentialsArn: v.optional(v.string()), IntegrationUri: v.string() });
const groupSchema = v.object({ ServiceRoleArn: v.string() });
const aliasSchema = v.object({ FunctionName: v.string() });
const updateSchema = v.object({
  CodeDeployLambdaAliasUpdate: v.object({
    DeploymentGroupName: v.object({ Ref: v.string() }),
    BeforeAllowTrafficHook: v.object({ Ref: v.string() }),
  }),
});

/** The deployment groups whose releases a function checks first, and the logical id of that function. */
export function releaseChecks(assembly: string): { readonly group: string; readonly functionId: string }[] {
  return [...resourcesOf(templateIn(assembly), 'AWS::Lambda::Alias').values()].flatMap(({ UpdatePolicy }) => {
    const { success, output } = v.safeParse(updateSchema, UpdatePolicy);
    if (!success) return [];
    const { DeploymentGroupName, BeforeAllowTrafficHook } = output.CodeDeployLambdaAliasUpdate;
    return [{ group: DeploymentGroupName.Ref, functionId: BeforeAllowTrafficHook.Ref }];
  });
}

/**
 * The requests that Lambda, API Gateway and CodeDeploy make with the roles of a stack: logs and traces, the reading of the stream
 * with its failures, the invocations of routes, and the shifting of aliases.
 * https://docs.aws.amazon.com/lambda/latest/dg/lambda-intro-execution-role.html
 * https://docs.aws.amazon.com/lambda/latest/dg/services-dynamodb-eventsourcemapping.html
 * https://docs.aws.amazon.com/codedeploy/latest/userguide/security-iam-awsmanpol.html
 */
export function platformTouches(assembly: string, tableName: string): PlatformTouch[] {
  const template = openAssembly(assembly, { tableName });
  return [
    ...template.idsOf(['AWS::Lambda::Function']).flatMap((id) => ofFunction(template, id)),
    ...ofStream(template),
    ...ofRoutes(template),
    ...ofReleases(template, releaseChecks(assembly)),
  ];
}

function ofFunction(template: TemplateResources, id: string): PlatformTouch[] {
  const { Role: role, LoggingConfig, TracingConfig } = template.read(id, functionSchema);
  const group = template.arnOf(LoggingConfig.LogGroup).replace(/\*$/, 'log-stream:2027');
  const touch = touchOf(role);
  const logs = [touch('logs:CreateLogStream', group), touch('logs:PutLogEvents', group)];
  if (TracingConfig?.Mode !== 'Active') return logs;
  return [...logs, touch('xray:PutTraceSegments', '*'), touch('xray:PutTelemetryRecords', '*')];
}

function ofStream(template: TemplateResources): PlatformTouch[] {
  return template.idsOf(['AWS::Lambda::EventSourceMapping']).flatMap((id) => {
    const { FunctionName, EventSourceArn: stream, DestinationConfig } = template.read(id, mappingSchema);
    const { Role } = template.read(FunctionName.split(':')[0] ?? '', functionSchema);
    const touch = touchOf(Role);
    return [
      ...['DescribeStream', 'GetRecords', 'GetShardIterator'].map((action) => touch(`dynamodb:${action}`, stream)),
      touch('dynamodb:ListStreams', stream.replace(/[^/]*$/, '*')),
      touch('sqs:SendMessage', DestinationConfig.OnFailure.Destination),
    ];
  });
}

function ofRoutes(template: TemplateResources): PlatformTouch[] {
  return template.idsOf(['AWS::ApiGatewayV2::Integration']).flatMap((id) => {
    const { CredentialsArn, IntegrationUri } = template.read(id, integrationSchema);
    return CredentialsArn === undefined ? [] : [touchOf(CredentialsArn)('lambda:InvokeFunction', IntegrationUri)];
  });
}

/** AWS does not document whether the function or its alias is the resource. */
function ofReleases(template: TemplateResources, checks: ReturnType<typeof releaseChecks>): PlatformTouch[] {
  const [group] = template.idsOf(['AWS::CodeDeploy::DeploymentGroup']);
  if (group === undefined) return [];
  const touch = touchOf(template.read(group, groupSchema).ServiceRoleArn);
  const shifted = template.idsOf(['AWS::Lambda::Alias']).flatMap((id) => {
    const { FunctionName } = template.read(id, aliasSchema);
    const actions = ['GetAlias', 'UpdateAlias', 'GetProvisionedConcurrencyConfig'];
    return [functionArn(FunctionName), `${functionArn(FunctionName)}:live`].flatMap((arn) =>
      actions.map((action) => touch(`lambda:${action}`, arn)),
    );
  });
  const checking = checks.map(({ functionId }) => touch('lambda:InvokeFunction', functionArn(functionId)));
  return [...shifted, ...checking, touch('cloudwatch:DescribeAlarms', '*')];
}

function touchOf(role: string) {
  return (action: string, resource: string): PlatformTouch => ({
    role,
    authorization: { action, resource, context: {} },
  });
}
