import { Type } from 'typebox';
import type { Config } from '../../platform/config/config.ts';
import type { Db } from '../../platform/db/connect.ts';
import { text } from '../../platform/http/api-components.ts';
import { formPage, pageAnswer } from '../../platform/http/form-page.ts';
import type { Http } from '../../platform/http/http.ts';
import { LANG } from '../../platform/languages/page-language.ts';
import { findPayerLanguages } from './payer-languages.db.ts';
import {
  answeredPage,
  askingPage,
  paymentLocale,
  paymentPageHeaders,
  paymentPageSecurity,
  paymentRefusalPage as refusalPage,
  unknownLinkPage,
} from './payment.page.ts';
import type { Gateways } from './payment-gateway.ts';

/*
 * Pages around the approval of a charge by the customer's bank (3-D Secure): the way there, and the way back to the
 * order.
 */

const LangQuery = Type.Object(LANG);
const PAGE = pageAnswer('The page.');
const UNKNOWN = { 404: pageAnswer('No charge has this link, and a page says so.') };
const HTML = 'text/html; charset=utf-8';

const landingSchema = {
  operationId: 'readAuthenticatedPage',
  summary: "Open the page that follows a payment's approval at the bank",
  description: 'Shows a page that asks the customer to return to the shop, which then finalizes the order.',
  querystring: LangQuery,
  response: { 200: PAGE },
};

/** Registers the pages around the approval of a charge (3-D Secure). The order continues when it is finalized. */
export function authenticationPageRoutes(
  http: Http,
  { config, db, gateways }: { config: Config; db: Db; gateways: Gateways },
): void {
  const security = paymentPageSecurity(config.baseUrl);
  const refuses = ['not_ready', 'upstream_unavailable'] as const;
  const landing = { schema: landingSchema, config: { public: true, refusalPage }, security } as const;
  http.get('/payment/authenticated', landing, async ({ query, headers }, reply) => {
    const locale = paymentLocale(query.lang, headers);
    return reply.headers(paymentPageHeaders(locale)).type(HTML).send(answeredPage(locale));
  });
  formPage(http, {
    path: '/payment/authenticate/:link',
    params: Type.Object({ link: text('The token in the `authentication_url`.') }),
    shows: {
      operationId: 'readSandboxAuthenticationPage',
      summary: "Open the sandbox gateway's page for approving a charge",
      description:
        "Shows a page for browsers that simulates a bank's approval. A charge to a card that requires approval is refused with this address as its `authentication_url`. The link authorizes the request.",
      query: LangQuery,
      answers: UNKNOWN,
    },
    takes: {
      operationId: 'submitSandboxAuthenticationPage',
      summary: 'Approve or decline a sandbox charge',
      description: "The page's form sends this request. After `approve`, finalize the order: the charge then succeeds.",
      example: { body: { answer: 'approve' } },
      query: LangQuery,
      fields: Type.Object({
        answer: Type.Enum(['approve', 'fail'], { description: 'Only the first response is used.' }),
      }),
      next: 'Redirects to the checkout that started the charge.',
      location: { type: 'string', description: "The checkout's page." },
      answers: { 200: PAGE, ...UNKNOWN },
    },
    refuses,
    refusalPage,
    security,
    async begin({ params: { link }, query, headers }, reply) {
      const charge = await gateways.sandbox.findPendingApproval(link);
      const locale = paymentLocale(query.lang, headers, charge && (await findPayerLanguages(db, charge)));
      reply.headers(paymentPageHeaders(locale)).type(HTML);
      if (charge && charge.returnUrl !== null) reply.setSecurity(paymentPageSecurity(config.baseUrl, charge.returnUrl));
      return { link, charge, locale };
    },
    show({ charge, locale }) {
      if (!charge) return { status: 404, html: unknownLinkPage(locale) };
      return { html: charge.state === 'open' ? askingPage(charge, locale) : answeredPage(locale) };
    },
    async take({ link, charge, locale }, { answer }) {
      if (!charge) return { status: 404, html: unknownLinkPage(locale) };
      await gateways.sandbox.answerPendingApproval(link, answer === 'approve');
      return charge.returnUrl === null ? { html: answeredPage(locale) } : { location: charge.returnUrl };
    },
  });
}
