import { Type } from 'typebox';
import type { Config } from '../../platform/config/config.ts';
import type { Db } from '../../platform/db/connect.ts';
import { contentAnswer, emptyAnswer } from '../../platform/http/content-answers.ts';
import { withForms } from '../../platform/http/form-body.ts';
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

const PARAMS = Type.Object({ link: Type.String({ description: 'Of the `authentication_url`.' }) });
const LangQuery = Type.Object(LANG);
const PAGE = contentAnswer('The page.', ['text/html']);
const UNKNOWN = contentAnswer('No charge has this link: a page says so.', ['text/html']);
const HTML = 'text/html; charset=utf-8';

const askSchema = {
  operationId: 'readSandboxAuthenticationPage',
  tags: ['Sandbox'],
  summary: 'Where the sandbox gateway asks a customer to approve a charge; the link is the permission',
  description:
    'A charge to a card that asks for approval is refused with this address as `authentication_url`. The page is for browsers.',
  params: PARAMS,
  querystring: LangQuery,
  response: { 200: PAGE, 404: UNKNOWN },
};
const answerSchema = {
  operationId: 'submitSandboxAuthenticationPage',
  tags: ['Sandbox'],
  summary: 'What the form of that page sends',
  description: 'After `approve`, finalize the order: the charge succeeds.',
  example: { body: { answer: 'approve' } },
  consumes: ['application/x-www-form-urlencoded'],
  params: PARAMS,
  querystring: LangQuery,
  body: Type.Object({ answer: Type.Enum(['approve', 'fail'], { description: 'The first answer counts.' }) }),
  response: {
    200: PAGE,
    303: emptyAnswer('Back to the checkout that the charge was begun on.', {
      Location: { type: 'string', description: 'The page of the checkout.' },
    }),
    404: UNKNOWN,
  },
};
const landingSchema = {
  operationId: 'readAuthenticatedPage',
  tags: ['Payment methods'],
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
  http.get(
    '/payment/authenticate/:link',
    { schema: askSchema, config: { public: true, refuses, refusalPage }, security },
    async ({ params, query, headers }, reply) => {
      const charge = await gateways.sandbox.findPendingApproval(params.link);
      const locale = paymentLocale(query.lang, headers, charge && (await findPayerLanguages(db, charge)));
      reply.headers(paymentPageHeaders(locale)).type(HTML);
      if (!charge) return reply.code(404).send(unknownLinkPage(locale));
      if (charge.returnUrl !== null) reply.setSecurity(paymentPageSecurity(config.baseUrl, charge.returnUrl));
      return reply.send(charge.state === 'asked' ? askingPage(charge, locale) : answeredPage(locale));
    },
  );
  withForms(http, (scope) => {
    scope.post(
      '/payment/authenticate/:link',
      {
        schema: answerSchema,
        config: { public: true, refuses: [...refuses, 'body_too_large', 'unsupported_media_type'], refusalPage },
        security,
      },
      async ({ params, query, headers, body }, reply) => {
        const charge = await gateways.sandbox.findPendingApproval(params.link);
        const locale = paymentLocale(query.lang, headers, charge && (await findPayerLanguages(db, charge)));
        reply.headers(paymentPageHeaders(locale)).type(HTML);
        if (!charge) return reply.code(404).send(unknownLinkPage(locale));
        await gateways.sandbox.answerPendingApproval(params.link, body.answer === 'approve');
        if (charge.returnUrl === null) return reply.send(answeredPage(locale));
        reply.removeHeader('content-type');
        return reply.code(303).header('location', charge.returnUrl).send(undefined);
      },
    );
  });
}
