/** `source` of every event that carries a Change; its `detail-type` is the action, its `detail` the Change. */
export const changeEventSource = 'auth-service';

/** `source` of the notices about changes that can never be published; a rule takes them to the dead-letter queue. */
export const publisherEventSource = 'auth-service.publisher';

/** `detail-type` of such a notice. */
export const unpublishableDetailType = 'change.unpublishable';

/** Where a change stands that could not be published, and why; the `detail` of a notice. */
export interface UnpublishableChange {
  readonly pk: string | null;
  readonly sk: string | null;
  readonly sequenceNumber: string;
  readonly reason: string;
}
