import { describeMembers } from './descriptions.ts';
import { fieldErrorSchema, problemMembers, problemSchema } from './problems.ts';

describeMembers(fieldErrorSchema.entries, {
  pointer:
    'The field: `#/status` in the body (RFC 6901), or for example `path:userId`, `query:limit`, `header:if-match`.',
  detail: 'The error in this request, and how to correct it.',
});
describeMembers(problemSchema.entries, {
  type: 'The address of an explanation of the code, relative to the URL of the request.',
  title: 'The code in words, the same in every response.',
  status: 'The HTTP status.',
  detail: 'The error in this request, and how to correct it.',
  code: 'The code, for programs. New codes may be added.',
  requestId: 'The id of the request, as in its `Apigw-Requestid` or `X-Amzn-RequestId` header and in the log.',
  errors: 'Only with `invalid_request`: all invalid fields.',
});
describeMembers(problemMembers.clock_skew, {
  serverTime: "Only of `clock_skew`: the server's clock.",
  created: 'Only with `clock_skew`: when the signature claims it was created, in seconds since 1970.',
  windowSeconds: 'Only with `clock_skew`: the maximum difference between the two.',
});
describeMembers(problemMembers.signature_mismatch, {
  signatureBase:
    'Only with `signature_mismatch`: the text that the server expected to be signed, without the values of headers that it does not require.',
});
describeMembers(problemMembers.digest_mismatch, {
  receivedBytes: 'Only with `digest_mismatch`: the length of the received body.',
});
describeMembers(problemMembers.role_required, {
  requiredRole: 'Only with `role_required`: the minimum operator role.',
});
describeMembers(problemMembers.version_mismatch, {
  version: 'Only with `version_mismatch`: the current version.',
});
