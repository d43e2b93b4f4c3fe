import { Type } from 'typebox';
import type { Db } from '../db/connect.ts';
import type { Http } from '../http/http.ts';
import { rawBodyOf } from '../http/raw-body.ts';
import { Refusal } from '../http/refusal.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { Clock } from '../lib/clock.ts';
import type { Gateways } from './payment-gateway.ts';
import { takeGatewayNotice } from './take-gateway-notice.flow.ts';

const schema = {
  operationId: 'takeGatewayCall',
  tags: ['Payment methods'],
  summary: "For the gateway's webhook alone: its signature is the permission",
  description:
    "What the gateway reports of charges, disputes and card pages. A call whose signature is not the gateway's is refused and changes nothing.",
  response: {
    200: Type.Object({ received: Type.Literal(true) }, { description: 'The event is taken, or of no concern.' }),
  },
};

type WebhookDeps = { db: Db; jobs: Jobs; clock: Clock; gateways: Gateways };

/** POST of the gateway's webhook, at the path and with the header of the signature that the composition names. */
export function gatewayWebhookRoute(http: Http, deps: WebhookDeps, path: string, signatureHeader: string): void {
  const refuses = ['payment_gateway_not_configured', 'not_ready'] as const;
  http.post(path, { schema, config: { public: true, uncounted: true, rawBody: true, refuses } }, async (request) => {
    const { notices } = deps.gateways;
    if (!notices) throw new Refusal('payment_gateway_not_configured', 'This service takes no calls of a gateway.');
    const signature = [request.headers[signatureHeader]].flat()[0];
    const notice = await notices.read({ body: rawBodyOf(request), signature, now: deps.clock.now() });
    if (notice) await takeGatewayNotice(deps, notice);
    return { received: true as const };
  });
}
