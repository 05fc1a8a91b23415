import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';

/** An event in payload format 2.0 from an HTTP API or a function URL, as Lambda passes it. */
export type LambdaEvent = APIGatewayProxyEventV2;

/** The same event with its body in two further forms. */
export interface HttpEvent extends Omit<LambdaEvent, 'body'> {
  /** Text as received; a JSON value once `parseJsonBody` has run. */
  body?: unknown;
  /** The bytes received; set by `limitBody`. */
  bodyBytes?: Uint8Array;
}

/** The handler exported by a Lambda function behind an HTTP API or a function URL. */
export type HttpHandler = (event: LambdaEvent, context: Context) => Promise<HttpResult>;

export type HttpResult = APIGatewayProxyStructuredResultV2;
