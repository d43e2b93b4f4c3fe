import type { Logger } from 'pino';
import { type Static, Type } from 'typebox';
import { keepAnswer } from '../../access/idempotency/idempotency.hook.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Db, Sql } from '../../platform/db/connect.ts';
import { text } from '../../platform/http/api-components.ts';
import { emptyAnswer } from '../../platform/http/content-answers.ts';
import { type FormAnswer, formPage, pageAnswer } from '../../platform/http/form-page.ts';
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
  summary: 'Create a card page for a user at the gateway',
  description:
    'Send the user to `url`, a link that works once, for an hour. The gateway then sends the user to `return_url` with `status=success`, `canceled` or `pending`, and `GET /payment/list` includes the card.',
  example: { body: { ...EXAMPLE_PAYER, return_url: 'https://shop.example.com/card-saved' } },
  body: Type.Object({
    user_id: USER_ID,
    user_email: Type.String({ ...EMAIL, description: 'The email address of the user.' }),
    return_url: Type.String({
      maxLength: 2000,
      description: 'The URL that the user is sent to afterward: https, or http on localhost.',
    }),
  }),
  response: {
    200: Type.Object(
      { url: text("The page's URL. Anyone with this link can enter a card.") },
      { description: 'The page was created.' },
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
    async ({ caller, body, claim }) => {
      const read = readReturnUrl(body.return_url);
      if ('fault' in read) throw invalidRequest([read.fault]);
      const owner = {
        accountId: caller.accountId,
        mode: caller.mode,
        userId: body.user_id,
        userEmail: body.user_email,
      };
      const wanted = { ...owner, returnUrl: read.url, orderId: null };
      const keep = claim && ((tx: Sql, url: string) => keepAnswer(tx, claim, { url }));
      return { url: await openCardSetup(deps, wanted, keep) };
    },
  );
}

const LangQuery = Type.Object(LANG);
const LOCATION = { type: 'string', description: 'The `return_url`, with `status`.' };
const UNKNOWN = { 404: pageAnswer('No setup has this link, and a page says so.') };
const GONE = { ...UNKNOWN, 410: pageAnswer('The link was already used or has expired, and a page says so.') };

const FIELDS = Type.Object({
  action: Type.Optional(text('`cancel` ends the setup without saving a card.')),
  card_number: Type.Optional(Type.String()),
  expiration: Type.Optional(text('Such as 07/31.')),
  cvc: Type.Optional(Type.String()),
});

/** GET and POST /payment/setup/:setup_id: the page where a sandbox user enters a card. */
function cardSetupPageRoutes(http: Http, deps: SetupDeps): void {
  const { config, db, clock } = deps;
  formPage(http, {
    path: '/payment/setup/:setup_id',
    params: Type.Object({ setup_id: text("The link's token.") }),
    shows: {
      operationId: 'readSandboxCardPage',
      summary: "Open the sandbox gateway's card page",
      description:
        'Shows a page for browsers. `POST /payment/setup` returns its address to sandbox keys. The link authorizes the request.',
      query: LangQuery,
      answers: GONE,
    },
    takes: {
      operationId: 'submitSandboxCardPage',
      summary: 'Save or cancel a sandbox card',
      description:
        "The page's form sends this request. Saves the card, or ends the setup without a card if `action` is `cancel`, and redirects the browser to the `return_url`.",
      example: { body: { card_number: '4242 4242 4242 4242', expiration: '07/31', cvc: '123' } },
      query: LangQuery,
      fields: FIELDS,
      next: 'Redirects to the `return_url`.',
      location: LOCATION,
      answers: { ...GONE, 422: pageAnswer("The card can't be saved. The page is shown again with the errors.") },
    },
    refuses: ['not_ready'],
    formRefuses: ['upstream_unavailable'],
    refusalPage,
    security: paymentPageSecurity(config.baseUrl),
    async begin({ params, query, headers }, reply) {
      const setup = await findSandboxSetup(db, params.setup_id);
      const locale = paymentLocale(query.lang, headers, setup && (await findPayerLanguages(db, setup)));
      reply.headers(paymentPageHeaders(locale)).type('text/html; charset=utf-8');
      if (setup && isUsable(setup, clock.now())) {
        reply.setSecurity(paymentPageSecurity(config.baseUrl, setup.returnUrl));
      }
      return { setup, locale };
    },
    show: ({ setup, locale }) =>
      setup && isUsable(setup, clock.now())
        ? { html: sandboxCardPage({}, locale, isOnce(setup)) }
        : gonePage(setup, locale),
    take: async ({ setup, locale }, fields) =>
      (setup && (await submitCardForm(deps, setup, fields, locale))) ?? gonePage(setup, locale),
  });
}

/** Whether the card is for one order: a guest, who has no card beyond it, is named by the order. */
const isOnce = ({ userId, orderId }: CardSetup): boolean => userId === orderId;

/** Finds a setup of the sandbox. The pages of a live one are the gateway's own. */
async function findSandboxSetup(db: Db, setupId: string): Promise<CardSetup | undefined> {
  const setup = await findCardSetup(db, setupId);
  return setup?.mode === 'sandbox' ? setup : undefined;
}

/** Saves the card, and returns where to redirect; undefined if the link is over. Submitting twice saves one card. */
async function submitCardForm(
  deps: SetupDeps,
  setup: CardSetup,
  form: Static<typeof FIELDS>,
  locale: Locale,
): Promise<FormAnswer | undefined> {
  if (setup.state === 'completed') return { location: buildReturnUrl(setup.returnUrl, { status: 'success' }) };
  const now = deps.clock.now();
  if (!isUsable(setup, now)) return undefined;
  if (form.action === 'cancel') {
    await endSetup(deps, setup);
    return { location: buildReturnUrl(setup.returnUrl, { status: 'canceled' }) };
  }
  const { card_number, cvc, expiration = '' } = form;
  const read = readCard({ card_number, cvc, ...readExpiration(expiration) }, now);
  if ('faults' in read) {
    return { status: 422, html: sandboxCardPage(formFaultsOf(read.faults, locale), locale, isOnce(setup)) };
  }
  const { card, brand, last4 } = read;
  const saved = await deps.gateways.sandbox.saveCard(card);
  const { expirationMonth, expirationYear } = card;
  const ended = await completeCardSetup(deps, setup, { ...saved, brand, last4, expirationMonth, expirationYear });
  return {
    location: buildReturnUrl(setup.returnUrl, { status: ended.state === 'completed' ? 'success' : 'canceled' }),
  };
}

function gonePage(setup: CardSetup | undefined, locale: Locale): FormAnswer {
  const { card } = locale.words.customer;
  if (!setup) return { status: 404, html: unknownLinkPage(locale) };
  const isSaved = setup.state === 'completed';
  const url = buildReturnUrl(setup.returnUrl, { status: isSaved ? 'success' : 'canceled' });
  const [title, detail] = isSaved ? [card.saved, card.savedDetail] : [card.ended, card.endedDetail];
  return { status: 410, html: noticePage(title, detail, locale, { url, words: card.backToShop }) };
}

const returnSchema = {
  operationId: 'returnFromCardPage',
  summary: "Return from the gateway's card page",
  description:
    "Redirects the browser to the setup's `return_url`. `status` is `success`, `canceled`, or `pending` while the gateway doesn't respond.",
  params: Type.Object({ setup_id: text("The setup's token.") }),
  querystring: LangQuery,
  response: { 302: emptyAnswer('Redirects to the `return_url` with `status`.', { Location: LOCATION }), ...UNKNOWN },
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
