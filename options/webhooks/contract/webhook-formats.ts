/** The formats of deliveries: Standard Webhooks 1.0.0, and Security Event Tokens (RFC 8417, RFC 8935). */
export const webhookFormats = ['standard', 'set'] as const;
export type WebhookFormat = (typeof webhookFormats)[number];
