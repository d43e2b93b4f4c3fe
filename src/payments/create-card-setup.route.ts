import { Type } from 'typebox';
import type { Config } from '../config.ts';
import type { Db } from '../db/connect.ts';
import type { Http } from '../http/http.ts';
import { EMAIL, invalidRequest } from '../http/request-schema.ts';
import type { Clock } from '../lib/clock.ts';
import { randomId } from '../lib/random-id.ts';
import { EXAMPLE_PAYER } from '../stores/example-store.ts';
import { type CardSetup, readReturnUrl, SETUP_MINUTES } from './card-setup.ts';
import { insertCardSetup, noteGatewaySession } from './card-setups.db.ts';
import { type Gateways, gatewayOf } from './payment-gateway.ts';
import { USER_ID } from './payment-method.ts';

const schema = {
  operationId: 'createCardSetup',
  tags: ['Payment methods'],
  summary: 'Open a page of the gateway on which a user enters a card',
  description:
    'Send the user to `url`: the link works once, for an hour. Afterwards `GET /payment/list` has the card, and the user is sent to `return_url` with `status=success`, `canceled` or `pending`.',
  example: { body: { ...EXAMPLE_PAYER, return_url: 'https://shop.example.com/card-saved' } },
  body: Type.Object({
    user_id: USER_ID,
    user_email: Type.String({ ...EMAIL, description: 'The e-mail address of the user.' }),
    return_url: Type.String({
      maxLength: 2000,
      description: 'Where the user is sent afterwards: https, or http on localhost.',
    }),
  }),
  response: {
    200: Type.Object(
      { url: Type.String({ description: 'The page; whoever holds the link may enter a card.' }) },
      { description: 'The page is open.' },
    ),
  },
};

type SetupDeps = { config: Config; db: Db; clock: Clock; gateways: Gateways };

/** POST /payment/setup. The setup is stored before the gateway opens its page, so that no page lacks its setup. */
export function createCardSetupRoute(http: Http, { config, db, clock, gateways }: SetupDeps): void {
  http.post(
    '/payment/setup',
    {
      schema,
      config: { refuses: ['payment_gateway_not_configured', 'upstream_unavailable'] },
      onRequest: async ({ caller }) => {
        gatewayOf(gateways, caller.mode);
      },
    },
    async ({ caller, body }) => {
      const read = readReturnUrl(body.return_url);
      if ('fault' in read) throw invalidRequest([read.fault]);
      const now = clock.now();
      const setup: CardSetup = {
        setupId: randomId('set_', 24),
        accountId: caller.accountId,
        mode: caller.mode,
        userId: body.user_id,
        userEmail: body.user_email,
        returnUrl: read.url,
        gatewaySession: null,
        state: 'open',
        paymentMethodId: null,
        expiresAt: now.add({ minutes: SETUP_MINUTES }),
      };
      await insertCardSetup(db, setup, now);
      const { setupId, userEmail, expiresAt } = setup;
      const returnUrl = `${config.baseUrl}/payment/setup/${setupId}/return`;
      const page = await gatewayOf(gateways, caller.mode).openCardPage({ setupId, userEmail, returnUrl, expiresAt });
      await noteGatewaySession(db, setupId, page.session);
      return { url: page.url };
    },
  );
}
