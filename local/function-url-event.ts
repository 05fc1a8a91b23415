import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { AccessKey } from './access-key.ts';
import { describePayload, describeRequest, joinHeaders, type WireRequest } from './event-parts.ts';

/** The one operator that this machine's key pair belongs to, as IAM would describe it. */
const localUser = {
  accountId: '000000000000',
  callerId: 'AIDALOCALOPERATOR234',
  cognitoIdentity: null,
  principalOrgId: null,
  userArn: 'arn:aws:iam::000000000000:user/local',
  userId: 'AIDALOCALOPERATOR234',
} as const;

/**
 * The event of a function URL of auth type AWS_IAM in payload format 2.0 (Lambda guide, "Invoking Lambda function URLs"),
 * in the details that the guide leaves open as captured on AWS (hotsock/voker, `functionurl-request.json`): unlike an
 * HTTP API's, `rawPath` keeps its encoding and only `http.path` is decoded, and cookies stay in the headers. The
 * `authorization` header is withheld. Undefined for a path that cannot be decoded.
 */
export function createFunctionUrlEvent(
  request: WireRequest,
  { accessKeyId: accessKey }: AccessKey,
): APIGatewayProxyEventV2 | undefined {
  const path = decode(request.path);
  if (path === undefined) return undefined;
  const authorizer = { iam: { accessKey, ...localUser } };
  const requestContext = { ...describeRequest(request, path), authorizer, routeKey: '$default' };
  return {
    version: '2.0',
    routeKey: '$default',
    rawPath: request.path,
    ...describePayload(request),
    headers: joinHeaders(request, 'authorization'),
    requestContext,
  };
}

function decode(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}
