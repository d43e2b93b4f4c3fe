import type { Config } from '../../platform/config/config.ts';
import type { Db } from '../../platform/db/connect.ts';
import { contentAnswer } from '../../platform/http/content-answers.ts';
import { withForms } from '../../platform/http/form-body.ts';
import type { Http } from '../../platform/http/http.ts';
import { rawBodyOf } from '../../platform/http/raw-body.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import type { Messaging } from '../outbox/messaging.ts';
import { setOptOut } from './sms-opt-outs.db.ts';

/** The path where the SMS provider posts replies (docs/messages.md#opting-out). */
export const SMS_REPLY_PATH = '/messages/sms/reply';

const schema = {
  operationId: 'takeSmsReply',
  summary: "Receive an SMS provider's webhook",
  description:
    "Receives a customer's reply. STOP ends text messages to the number, START resumes them, and other replies change nothing. The signature authorizes the request: without it, it's refused.",
  consumes: ['application/x-www-form-urlencoded'],
  response: { 200: contentAnswer('No reply is sent.', ['text/xml']) },
};

type SmsReplyDeps = { config: Config; db: Db; clock: Clock; messaging: Messaging };

/** POST /messages/sms/reply: customers opt out of SMS, or back in, by replying to one. */
export function smsReplyRoute(http: Http, { config, db, clock, messaging }: SmsReplyDeps): void {
  const refuses = ['route_not_found', 'not_ready'] as const;
  const routeConfig = { public: true, uncounted: true, rawBody: true, refuses } as const;
  withForms(http, (scope) => {
    scope.post(SMS_REPLY_PATH, { schema, config: routeConfig }, async (request, reply) => {
      const { smsReplies } = messaging;
      if (!smsReplies) throw new Refusal('route_not_found', 'This service accepts no SMS replies.');
      const answer = smsReplies.read({
        url: `${config.baseUrl}${SMS_REPLY_PATH}`,
        body: rawBodyOf(request),
        headers: request.headers,
      });
      if (answer) await setOptOut(db, answer.phone, answer.wants === 'stop', clock.now());
      return reply.type('text/xml; charset=utf-8').send('<?xml version="1.0" encoding="UTF-8"?><Response/>');
    });
  });
}
