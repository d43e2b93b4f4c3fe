import { Type } from 'typebox';
import type { Config } from '../../platform/config/config.ts';
import { contentAnswer, emptyAnswer } from '../../platform/http/content-answers.ts';
import { withForms } from '../../platform/http/form-body.ts';
import type { Http } from '../../platform/http/http.ts';
import {
  answeredPage,
  askingPage,
  PAYMENT_PAGE_HEADERS,
  paymentPageSecurity,
  unknownLinkPage,
} from './payment.page.ts';
import type { Gateways } from './payment-gateway.ts';

const PARAMS = Type.Object({ link: Type.String({ description: 'Of the `authentication_url`.' }) });
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
  response: { 200: PAGE },
};

/** The pages around the approval of a charge (3-D Secure). The order continues when it is finalized. */
export function authenticationPageRoutes(
  http: Http,
  { config, gateways }: { config: Config; gateways: Gateways },
): void {
  const helmet = paymentPageSecurity(config.baseUrl);
  const refuses = ['upstream_unavailable'] as const;
  const landing = { schema: landingSchema, config: { public: true }, helmet } as const;
  http.get('/payment/authenticated', landing, async (_request, reply) =>
    reply.headers(PAYMENT_PAGE_HEADERS).type(HTML).send(answeredPage()),
  );
  http.get(
    '/payment/authenticate/:link',
    { schema: askSchema, config: { public: true, refuses }, helmet },
    async ({ params }, reply) => {
      const charge = await gateways.sandbox.findPendingApproval(params.link);
      reply.headers(PAYMENT_PAGE_HEADERS).type(HTML);
      if (!charge) return reply.code(404).send(unknownLinkPage());
      if (charge.returnUrl !== null) reply.helmet(paymentPageSecurity(config.baseUrl, charge.returnUrl));
      return reply.send(charge.state === 'asked' ? askingPage(charge) : answeredPage());
    },
  );
  withForms(http, (scope) => {
    scope.post(
      '/payment/authenticate/:link',
      {
        schema: answerSchema,
        config: { public: true, refuses: [...refuses, 'body_too_large', 'unsupported_media_type'] },
        helmet,
      },
      async ({ params, body }, reply) => {
        const charge = await gateways.sandbox.findPendingApproval(params.link);
        reply.headers(PAYMENT_PAGE_HEADERS).type(HTML);
        if (!charge) return reply.code(404).send(unknownLinkPage());
        await gateways.sandbox.answerPendingApproval(params.link, body.answer === 'approve');
        if (charge.returnUrl === null) return reply.send(answeredPage());
        reply.removeHeader('content-type');
        return reply.code(303).header('location', charge.returnUrl).send(undefined);
      },
    );
  });
}
