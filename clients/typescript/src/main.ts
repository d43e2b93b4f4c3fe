/** The whole surface of the package; everything else is free to change. */
export type * from './api-types.ts';
export type { CallOptions, ClientOptions } from './call.ts';
export { type Client, createClient } from './client.ts';
export { DoorstepConnectionError, DoorstepError } from './errors.ts';
export type { FollowEventsOptions } from './events.ts';
export type { CartQuery } from './find.ts';
export type { FollowOptions } from './orders.ts';
export type { Pages } from './pages.ts';
export {
  type VerifiedCall,
  verifyWebhook,
  type WebhookCall,
  type WebhookFault,
  WebhookVerificationError,
} from './verify-webhook.ts';
