/**
 * A request of CloudFormation to the function of a custom resource, whose properties are all text.
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/crpg-ref-requests.html
 */
export interface ResourceRequest<Properties> {
  readonly RequestType: 'Create' | 'Update' | 'Delete';
  readonly ResponseURL: string;
  readonly StackId: string;
  readonly RequestId: string;
  readonly ResourceType: string;
  readonly LogicalResourceId: string;
  /** Absent in a request to create. */
  readonly PhysicalResourceId?: string;
  readonly ResourceProperties: Properties;
  /** Only in a request to update. */
  readonly OldResourceProperties?: Properties;
}

/** CloudFormation accepts an answer of 4 KB (its guide, "Custom resource response objects"). */
const longestReason = 3000;

/** A resource with attributes that the template can read. */
export interface CreatedResource {
  readonly id: string;
  readonly attributes: Readonly<Record<string, string>>;
}

/**
 * Answers a request of CloudFormation with the id of the resource, or with why `run` has failed. Throws only if the answer cannot be
 * sent, so that Lambda tries it again.
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/crpg-ref-responses.html
 */
export async function answerResource<Properties>(
  request: ResourceRequest<Properties>,
  run: (request: ResourceRequest<Properties>) => Promise<string | CreatedResource>,
): Promise<void> {
  const { StackId, RequestId, LogicalResourceId } = request;
  const outcome = await run(request).then(
    (created) => {
      const { id, attributes } = typeof created === 'string' ? { id: created, attributes: undefined } : created;
      return { Status: 'SUCCESS', PhysicalResourceId: id, ...(attributes && { Data: attributes }) };
    },
    (error: Error) => ({
      Status: 'FAILED',
      Reason: error.message.slice(0, longestReason),
      PhysicalResourceId: request.PhysicalResourceId ?? neverCreated,
    }),
  );
  // The URL is signed for an empty content type.
  const response = await fetch(request.ResponseURL, {
    method: 'PUT',
    headers: { 'content-type': '' },
    body: JSON.stringify({ ...outcome, StackId, RequestId, LogicalResourceId }),
    redirect: 'error',
    signal: AbortSignal.timeout(10_000),
  });
  if (!response.ok) throw new Error(`CloudFormation's address for the answer has answered ${response.status}`);
}

/** The id of a resource whose creation failed, with which CloudFormation asks for its deletion. */
export const neverCreated = 'never-created';
