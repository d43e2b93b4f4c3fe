import type { PublicHttp } from 'doorstep/public-http';
import { Refusal } from '../../platform/http/refusal.ts';
import { isLoopback } from '../../platform/lib/networks.ts';

const ON_A_LAPTOP = 'For development, start the service with WEBHOOK_ALLOW_PRIVATE=true.';

/**
 * Returns the URL as it will be called, and whether its host is known now. Refuses a forbidden one with
 * `webhook_endpoint_not_allowed`, which names the field of the body; for one on this machine, with the hint.
 */
export async function requirePublicUrl(
  publicHttp: Pick<PublicHttp, 'checkUrl'>,
  text: string,
  name: string,
  hint = ON_A_LAPTOP,
) {
  const check = await publicHttp.checkUrl(text);
  if (!('refusal' in check)) return check;
  const given = URL.parse(text);
  const sentence = given && isLoopback(given) ? `${check.refusal} ${hint}` : check.refusal;
  const fault = { in: 'body', name, message: 'must be an https URL on a public host' } as const;
  throw new Refusal('webhook_endpoint_not_allowed', sentence, { errors: [fault] });
}
