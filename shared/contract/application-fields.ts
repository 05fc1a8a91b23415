import * as v from 'valibot';
import { reasonDemands } from './change-reason.ts';
import { optionalField, requiredField, resourceNameSchema } from './field-forms.ts';
import { fullRollout } from './rollout.ts';

/** Two decimals, because there are 10,000 buckets. */
const rolloutPercentSchema = v.pipe(
  v.number('must be a number'),
  v.minValue(0, 'must be at least 0'),
  v.maxValue(fullRollout, `must be at most ${fullRollout}`),
  v.check((percent) => Math.round(percent * 100) / 100 === percent, 'must have at most two decimals'),
);

/** More than the account's quota of API Gateway. */
export const maxRequestsPerSecond = 100_000;

const requestsPerSecondSchema = wholeNumberUpTo(maxRequestsPerSecond);

/** The number of a field that can also be `null`. */
function wholeNumberUpTo(max: number) {
  return v.pipe(
    v.number('must be a number or null'),
    v.integer('must be a whole number'),
    v.minValue(1, 'must be at least 1'),
    v.maxValue(max, `must be at most ${max}`),
  );
}

/** What every application has. */
export const requiredApplicationFields = {
  name: requiredField({
    personal: false,
    stored: v.string(),
    shown: v.string(),
    input: resourceNameSchema,
    body: resourceNameSchema,
  }),
  rolloutPercent: requiredField({
    personal: false,
    stored: v.number(),
    shown: rolloutPercentSchema,
    input: rolloutPercentSchema,
    body: v.optional(rolloutPercentSchema, fullRollout),
  }),
};

const requireReasonSchema = v.picklist(reasonDemands, `must be ${reasonDemands.join(', ')} or null`);

/** Ten years. */
export const maxReviewEveryDays = 3650;

const reviewEveryDaysSchema = wholeNumberUpTo(maxReviewEveryDays);

/** What an application may have. */
export const optionalApplicationFields = {
  requestsPerSecond: optionalField({
    personal: false,
    stored: v.number(),
    shown: requestsPerSecondSchema,
    input: requestsPerSecondSchema,
  }),
  requireReason: optionalField({
    personal: false,
    stored: v.picklist(reasonDemands),
    shown: requireReasonSchema,
    input: requireReasonSchema,
  }),
  reviewEveryDays: optionalField({
    personal: false,
    stored: v.number(),
    shown: reviewEveryDaysSchema,
    input: reviewEveryDaysSchema,
  }),
};

/** What an operator sets of an application. */
export const applicationFields = { ...requiredApplicationFields, ...optionalApplicationFields };
