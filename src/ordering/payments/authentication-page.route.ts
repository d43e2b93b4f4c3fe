import { Type } from 'typebox';
import type { Config } from '../../platform/config/config.ts';
import type { Db } from '../../platform/db/connect.ts';
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
const UNKNOWN = { 404: pageAnswer('No charge has this link: a page says so.') };
const HTML = 'text/html; charset=utf-8';

const landingSchema = {
  operationId: 'readAuthenticatedPage',
  summary: 'Where a customer lands after approving a payment at the bank',
  description: 'The page tells the customer to go back to the shop, which finalizes the order.',
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
    params: Type.Object({ link: Type.String({ description: 'Of the `authentication_url`.' }) }),
    shows: {
      operationId: 'readSandboxAuthenticationPage',
      summary: 'Where the sandbox gateway asks a customer to approve a charge; the link is the permission',
      description:
        'A charge to a card that asks for approval is refused with this address as `authentication_url`. The page is for browsers.',
      query: LangQuery,
      answers: UNKNOWN,
    },
    takes: {
      operationId: 'submitSandboxAuthenticationPage',
      summary: 'What the form of that page sends',
      description: 'After `approve`, finalize the order: the charge succeeds.',
      example: { body: { answer: 'approve' } },
      query: LangQuery,
      fields: Type.Object({
        answer: Type.Enum(['approve', 'fail'], { description: 'The first answer counts.' }),
      }),
      next: 'Back to the checkout that the charge was begun on.',
      location: { type: 'string', description: 'The page of the checkout.' },
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
