import { Type } from 'typebox';
import type { Config } from '../config.ts';
import type { Db } from '../db/connect.ts';
import { contentAnswer, emptyAnswer } from '../http/content-answers.ts';
import { withForms } from '../http/form-body.ts';
import type { Http } from '../http/http.ts';
import type { Clock } from '../lib/clock.ts';
import { readCard } from './card.ts';
import { type CardSetup, isUsable, returnUrlWith } from './card-setup.ts';
import { findCardSetup } from './card-setups.db.ts';
import {
  formFaultsOf,
  noticePage,
  PAYMENT_PAGE_HEADERS,
  paymentPageSecurity,
  readExpiration,
  sandboxCardPage,
} from './payment.page.ts';
import type { Gateways } from './payment-gateway.ts';
import { completeCardSetup, endSetup } from './save-card.flow.ts';

const PARAMS = Type.Object({ setup_id: Type.String({ description: 'Of the link.' }) });
const LOCATION = { Location: { type: 'string', description: 'The `return_url`, with `status`.' } };
const GONE = {
  404: contentAnswer('No setup has this link: a page says so.', ['text/html']),
  410: contentAnswer('The link was used or has expired: a page says so.', ['text/html']),
};

const pageSchema = {
  operationId: 'readSandboxCardPage',
  tags: ['Sandbox'],
  summary: 'The card page of the sandbox gateway; the link is the permission',
  description: '`POST /payment/setup` answers the address of this page to sandbox keys. The page is for browsers.',
  params: PARAMS,
  response: { 200: contentAnswer('The page.', ['text/html']), ...GONE },
};

const formSchema = {
  operationId: 'submitSandboxCardPage',
  tags: ['Sandbox'],
  summary: 'What the form of that page sends',
  description:
    'Saves the card, or ends the setup without a card where `action` is `cancel`, and sends the browser to the `return_url`.',
  example: { body: { card_number: '4242 4242 4242 4242', expiration: '07/31', cvc: '123' } },
  consumes: ['application/x-www-form-urlencoded'],
  params: PARAMS,
  body: Type.Object({
    action: Type.Optional(Type.String({ description: '`cancel` ends the setup without a card.' })),
    card_number: Type.Optional(Type.String()),
    expiration: Type.Optional(Type.String({ description: 'Such as 07/31.' })),
    cvc: Type.Optional(Type.String()),
  }),
  response: {
    303: emptyAnswer('To the `return_url`.', LOCATION),
    ...GONE,
    422: contentAnswer('The card cannot be saved: the page again, with what is wrong.', ['text/html']),
  },
};

type PageDeps = { config: Config; db: Db; clock: Clock; gateways: Gateways };
type Form = { card_number?: string; expiration?: string; cvc?: string };

/** GET and POST /payment/setup/:setup_id: the page on which a sandbox user enters a card. */
export function cardSetupPageRoutes(http: Http, deps: PageDeps): void {
  const { config, db, clock } = deps;
  const helmet = paymentPageSecurity(config.baseUrl);
  http.get(
    '/payment/setup/:setup_id',
    { schema: pageSchema, config: { public: true, refuses: ['not_ready'] }, helmet },
    async ({ params }, reply) => {
      const setup = await findSandboxSetup(db, params.setup_id);
      reply.headers(PAYMENT_PAGE_HEADERS).type('text/html; charset=utf-8');
      if (!setup || !isUsable(setup, clock.now())) return reply.code(setup ? 410 : 404).send(gonePage(setup));
      reply.helmet(paymentPageSecurity(config.baseUrl, setup.returnUrl));
      return reply.send(sandboxCardPage({}));
    },
  );
  const refuses = ['not_ready', 'body_too_large', 'unsupported_media_type', 'upstream_unavailable'] as const;
  withForms(http, (scope) => {
    scope.post(
      '/payment/setup/:setup_id',
      { schema: formSchema, config: { public: true, refuses }, helmet },
      async ({ params, body }, reply) => {
        const setup = await findSandboxSetup(db, params.setup_id);
        reply.headers(PAYMENT_PAGE_HEADERS);
        const answer = setup && (await answerOf(deps, setup, body));
        if (answer && 'location' in answer) return reply.code(303).header('location', answer.location).send(undefined);
        reply.type('text/html; charset=utf-8');
        if (!answer) return reply.code(setup ? 410 : 404).send(gonePage(setup));
        reply.helmet(paymentPageSecurity(config.baseUrl, setup.returnUrl));
        return reply.code(422).send(answer.page);
      },
    );
  });
}

/** The pages of a live setup are the gateway's own. */
async function findSandboxSetup(db: Db, setupId: string): Promise<CardSetup | undefined> {
  const setup = await findCardSetup(db, setupId);
  return setup?.mode === 'sandbox' ? setup : undefined;
}

/** Where the form leads; undefined where the link no longer works. A form that is sent twice saves one card. */
async function answerOf(
  deps: PageDeps,
  setup: CardSetup,
  form: Form & { action?: string },
): Promise<{ location: string } | { page: string } | undefined> {
  if (setup.state === 'completed') return { location: returnUrlWith(setup.returnUrl, 'success') };
  const now = deps.clock.now();
  if (!isUsable(setup, now)) return undefined;
  if (form.action === 'cancel') {
    await endSetup(deps, setup);
    return { location: returnUrlWith(setup.returnUrl, 'canceled') };
  }
  const { card_number, cvc, expiration = '' } = form;
  const read = readCard({ card_number, cvc, ...readExpiration(expiration) }, now);
  if ('faults' in read) return { page: sandboxCardPage(formFaultsOf(read.faults)) };
  const { card, brand, last4 } = read;
  const saved = await deps.gateways.sandbox.saveCard(card);
  const { expirationMonth, expirationYear } = card;
  const ended = await completeCardSetup(deps, setup, { ...saved, brand, last4, expirationMonth, expirationYear });
  return { location: returnUrlWith(setup.returnUrl, ended.state === 'completed' ? 'success' : 'canceled') };
}

function gonePage(setup: CardSetup | undefined): string {
  if (!setup) return noticePage('Page not found', 'This link is not known. Check that it is whole.');
  const next = {
    url: returnUrlWith(setup.returnUrl, setup.state === 'completed' ? 'success' : 'canceled'),
    words: 'Back to the shop',
  };
  return setup.state === 'completed'
    ? noticePage('The card is saved', 'This link works once, and a card was saved with it.', next)
    : noticePage('This link has ended', 'It works once, for an hour. Ask the shop for a new one.', next);
}
