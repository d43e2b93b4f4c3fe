import type { Logger } from 'pino';
import { Type } from 'typebox';
import type { Config } from '../../platform/config/config.ts';
import type { Db } from '../../platform/db/connect.ts';
import { contentAnswer, emptyAnswer } from '../../platform/http/content-answers.ts';
import { withForms } from '../../platform/http/form-body.ts';
import type { Http } from '../../platform/http/http.ts';
import { EMAIL, invalidRequest } from '../../platform/http/request-schema.ts';
import { LANG } from '../../platform/languages/page-language.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { OutsideError } from '../../platform/lib/outside-error.ts';
import { EXAMPLE_PAYER } from '../../supply/stores/example-store.ts';
import type { Locale } from '../../texts/catalogs.ts';
import { readCard } from './card.ts';
import { buildReturnUrl, type CardSetup, isUsable, type ReturnStatus, readReturnUrl } from './card-setup.ts';
import { findCardSetup } from './card-setups.db.ts';
import { findPayerLanguages } from './payer-languages.db.ts';
import {
  formFaultsOf,
  noticePage,
  paymentLocale,
  paymentPageHeaders,
  paymentPageSecurity,
  readExpiration,
  paymentRefusalPage as refusalPage,
  sandboxCardPage,
  unknownLinkPage,
} from './payment.page.ts';
import { type Gateways, requireGateway } from './payment-gateway.ts';
import { USER_ID } from './payment-method.ts';
import { completeCardSetup, endSetup, openCardSetup, resolveCardSetup } from './save-card.flow.ts';

/*
 * Card setups: the call that opens a card page of the gateway, the page itself for sandbox keys, and the return to the
 * shop. The link of a setup is its credential.
 */

const createSchema = {
  operationId: 'createCardSetup',
  tags: ['Payment methods'],
  summary: 'Open a page of the gateway on which a user enters a card',
  description:
    'Send the user to `url`: the link works once, for an hour. Afterwards `GET /payment/list` has the card, and the user is sent to `return_url` with `status=success`, `canceled` or `pending`.',
  example: { body: { ...EXAMPLE_PAYER, return_url: 'https://shop.example.com/card-saved' } },
  body: Type.Object({
    user_id: USER_ID,
    user_email: Type.String({ ...EMAIL, description: 'The email address of the user.' }),
    return_url: Type.String({
      maxLength: 2000,
      description: 'Where the user is sent afterwards: https, or http on localhost.',
    }),
  }),
  response: {
    200: Type.Object(
      { url: Type.String({ description: 'The page; anyone who holds the link may enter a card.' }) },
      { description: 'The page is open.' },
    ),
  },
};

type SetupDeps = { config: Config; db: Db; clock: Clock; gateways: Gateways };

/** POST /payment/setup. */
function createCardSetupRoute(http: Http, deps: SetupDeps): void {
  const { gateways } = deps;
  http.post(
    '/payment/setup',
    {
      schema: createSchema,
      config: { scope: 'order', refuses: ['payment_gateway_not_configured', 'upstream_unavailable'] },
      onRequest: async ({ caller }) => {
        requireGateway(gateways, caller.mode);
      },
    },
    async ({ caller, body }) => {
      const read = readReturnUrl(body.return_url);
      if ('fault' in read) throw invalidRequest([read.fault]);
      const owner = {
        accountId: caller.accountId,
        mode: caller.mode,
        userId: body.user_id,
        userEmail: body.user_email,
      };
      return { url: await openCardSetup(deps, { ...owner, returnUrl: read.url, orderId: null }) };
    },
  );
}

const PARAMS = Type.Object({ setup_id: Type.String({ description: 'Of the link.' }) });
const LangQuery = Type.Object(LANG);
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
  querystring: LangQuery,
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
  querystring: LangQuery,
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

type Form = { card_number?: string; expiration?: string; cvc?: string };

/** GET and POST /payment/setup/:setup_id: the page on which a sandbox user enters a card. */
function cardSetupPageRoutes(http: Http, deps: SetupDeps): void {
  const { config, db, clock } = deps;
  const security = paymentPageSecurity(config.baseUrl);
  http.get(
    '/payment/setup/:setup_id',
    { schema: pageSchema, config: { public: true, refuses: ['not_ready'], refusalPage }, security },
    async ({ params, query, headers }, reply) => {
      const setup = await findSandboxSetup(db, params.setup_id);
      const locale = await setupLocale(db, setup, query.lang, headers);
      reply.headers(paymentPageHeaders(locale)).type('text/html; charset=utf-8');
      if (!setup || !isUsable(setup, clock.now())) return reply.code(setup ? 410 : 404).send(gonePage(setup, locale));
      reply.setSecurity(paymentPageSecurity(config.baseUrl, setup.returnUrl));
      return reply.send(sandboxCardPage({}, locale));
    },
  );
  const refuses = ['not_ready', 'body_too_large', 'unsupported_media_type', 'upstream_unavailable'] as const;
  withForms(http, (scope) => {
    scope.post(
      '/payment/setup/:setup_id',
      { schema: formSchema, config: { public: true, refuses, refusalPage }, security },
      async ({ params, query, headers, body }, reply) => {
        const setup = await findSandboxSetup(db, params.setup_id);
        const locale = await setupLocale(db, setup, query.lang, headers);
        reply.headers(paymentPageHeaders(locale));
        const answer = setup && (await submitCardForm(deps, setup, body, locale));
        if (answer && 'location' in answer) return reply.code(303).header('location', answer.location).send(undefined);
        reply.type('text/html; charset=utf-8');
        if (!answer) return reply.code(setup ? 410 : 404).send(gonePage(setup, locale));
        reply.setSecurity(paymentPageSecurity(config.baseUrl, setup.returnUrl));
        return reply.code(422).send(answer.page);
      },
    );
  });
}

/** Finds a setup of the sandbox. The pages of a live one are the gateway's own. */
async function findSandboxSetup(db: Db, setupId: string): Promise<CardSetup | undefined> {
  const setup = await findCardSetup(db, setupId);
  return setup?.mode === 'sandbox' ? setup : undefined;
}

/** Saves the card, and returns where to redirect; undefined if the link is over. Submitting twice saves one card. */
async function submitCardForm(
  deps: SetupDeps,
  setup: CardSetup,
  form: Form & { action?: string },
  locale: Locale,
): Promise<{ location: string } | { page: string } | undefined> {
  if (setup.state === 'completed') return { location: buildReturnUrl(setup.returnUrl, { status: 'success' }) };
  const now = deps.clock.now();
  if (!isUsable(setup, now)) return undefined;
  if (form.action === 'cancel') {
    await endSetup(deps, setup);
    return { location: buildReturnUrl(setup.returnUrl, { status: 'canceled' }) };
  }
  const { card_number, cvc, expiration = '' } = form;
  const read = readCard({ card_number, cvc, ...readExpiration(expiration) }, now);
  if ('faults' in read) return { page: sandboxCardPage(formFaultsOf(read.faults, locale), locale) };
  const { card, brand, last4 } = read;
  const saved = await deps.gateways.sandbox.saveCard(card);
  const { expirationMonth, expirationYear } = card;
  const ended = await completeCardSetup(deps, setup, { ...saved, brand, last4, expirationMonth, expirationYear });
  return {
    location: buildReturnUrl(setup.returnUrl, { status: ended.state === 'completed' ? 'success' : 'canceled' }),
  };
}

/** Returns the language chosen on the page, else of the order whose checkout opened it, the browser or the account. */
async function setupLocale(
  db: Db,
  setup: CardSetup | undefined,
  lang: string | undefined,
  headers: Parameters<typeof paymentLocale>[1],
): Promise<Locale> {
  return paymentLocale(lang, headers, setup && (await findPayerLanguages(db, setup)));
}

function gonePage(setup: CardSetup | undefined, locale: Locale): string {
  const { card } = locale.words.customer;
  if (!setup) return unknownLinkPage(locale);
  const next = {
    url: buildReturnUrl(setup.returnUrl, { status: setup.state === 'completed' ? 'success' : 'canceled' }),
    words: card.backToShop,
  };
  return setup.state === 'completed'
    ? noticePage(card.saved, card.savedDetail, locale, next)
    : noticePage(card.ended, card.endedDetail, locale, next);
}

const returnSchema = {
  operationId: 'returnFromCardPage',
  tags: ['Payment methods'],
  summary: "Where the gateway's card page sends the user: on to the `return_url` of the setup",
  description:
    '`status` is `success`, `canceled`, or `pending` while the gateway does not answer. The page is for browsers.',
  params: Type.Object({ setup_id: Type.String({ description: 'Of the setup.' }) }),
  querystring: LangQuery,
  response: {
    302: emptyAnswer('To the `return_url`, with `status`.', LOCATION),
    404: GONE[404],
  },
};

type ReturnDeps = SetupDeps & { log: Logger };

/** GET /payment/setup/:setup_id/return. Redirects only to the URL that the setup was created with. */
function cardSetupReturnRoute(http: Http, deps: ReturnDeps): void {
  const security = paymentPageSecurity(deps.config.baseUrl);
  http.get(
    '/payment/setup/:setup_id/return',
    { schema: returnSchema, config: { public: true, refuses: ['not_ready'], refusalPage }, security },
    async ({ params, query, headers }, reply) => {
      const locale = paymentLocale(query.lang, headers);
      reply.headers(paymentPageHeaders(locale));
      const setup = await findCardSetup(deps.db, params.setup_id);
      if (!setup) return reply.code(404).type('text/html; charset=utf-8').send(unknownLinkPage(locale));
      const location = buildReturnUrl(setup.returnUrl, { status: await returnStatus(deps, setup.setupId) });
      return reply.code(302).header('location', location).send(undefined);
    },
  );
}

/** Limits how long the customer waits for the gateway, whose webhook reports the outcome later. */
async function returnStatus(deps: ReturnDeps, setupId: string): Promise<ReturnStatus> {
  try {
    return (await resolveCardSetup(deps, setupId))?.state === 'completed' ? 'success' : 'canceled';
  } catch (error) {
    if (!(error instanceof OutsideError)) throw error;
    deps.log.warn({ err: error }, 'the outcome of a card page is not known yet');
    return 'pending';
  }
}

/** A card that the customer enters at the gateway. */
export const CARD_SETUP_ROUTES = [createCardSetupRoute, cardSetupPageRoutes, cardSetupReturnRoute];
