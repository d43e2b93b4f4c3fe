import type { Sql } from '../../platform/db/connect.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { findEndpoint } from './endpoints.db.ts';
import type { Endpoint, Owner } from './webhook.ts';

/** Returns the owner's endpoint; refuses if there is none or it is switched off. */
export async function requireActiveEndpoint(sql: Sql, owner: Owner): Promise<Endpoint> {
  const endpoint = await findEndpoint(sql, owner);
  if (!endpoint) {
    const sentence = `No webhook is attached to this account's ${owner.mode} orders.`;
    throw new Refusal('webhook_endpoint_not_allowed', sentence);
  }
  if (!endpoint.enabled) {
    throw new Refusal('transition_not_allowed', 'The webhook was disabled after failures. Attach it again first.');
  }
  return endpoint;
}
