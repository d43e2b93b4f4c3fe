import type { PublicHttp } from 'doorstep/public-http';
import type { Mailer, SmsSender } from '../../src/notify/outbox/messaging.ts';
import { type Printer, PrinterError } from '../../src/notify/outbox/printer.ts';
import { OutsideError } from '../../src/platform/lib/outside-error.ts';
import type { Calls } from './outside-party.ts';
import type { Owner } from './scheduler.ts';

/**
 * Something that a channel received. A second receipt of one `key` needs a cause. `troubles`: the faults of the
 * sender's node so far.
 */
export type Taken = { channel: string; key: string; by: Owner; troubles: number; text: string };

/** Books of mail servers, SMS providers, endpoints and printers; they outlive every node. */
export type ChannelBooks = { taken: Taken[] };

export const createChannelBooks = (): ChannelBooks => ({ taken: [] });

export type Channels = { mailer: Mailer; smsSender: SmsSender; publicHttp: PublicHttp; printer: Printer };

/** A node's connection to the channels. */
export function createSimulatedChannels(books: ChannelBooks, calls: Calls, owner: Owner): Channels {
  const take = (channel: string, key: string, text: string) => () =>
    void books.taken.push({ channel, key, by: owner, troubles: owner.troubles, text });
  const noAnswer = (party: string) => () => new OutsideError(party, 'did not answer', { retryable: true });
  return {
    mailer: {
      sendMail: ({ messageId, to, subject }) =>
        calls.call({
          owner,
          party: 'mail',
          what: `mail ${messageId} ${subject}`,
          failure: noAnswer('mail'),
          effect: take('mail', messageId, `${to} ${subject}`),
        }),
      close: () => {},
    },
    smsSender: {
      sendText: ({ to, body }) =>
        calls.call({
          owner,
          party: 'sms',
          what: `text ${body}`,
          failure: noAnswer('SMS'),
          // Numbers of orders begin again each day.
          effect: take('sms', `${to} ${body} ${Temporal.Now.instant().toString().slice(0, 10)}`, body),
        }),
    },
    publicHttp: {
      checkUrl: async (url) => ({ url, isFound: true }),
      async post(url, { headers, body }) {
        const id = headers['webhook-id'] ?? '';
        const call = { owner, party: 'webhook', what: `post ${url} ${id}`, failure: () => new Error('timeout') };
        const answered = calls.call({ ...call, effect: take(`webhook ${url}`, id, body) });
        return answered.then(
          () => ({ status: 204 }),
          () => ({ failure: 'timeout' }),
        );
      },
      get: async () => ({ failure: 'not simulated' }),
      readCertificateEnd: async () => undefined,
      close: () => {},
    },
    printer: {
      print: ({ target, bytes }) =>
        calls.call({
          owner,
          party: 'printer',
          what: `print ${bytes.length} bytes`,
          effect: take(`printer ${target}`, Buffer.from(bytes).toString('latin1'), ''),
          failure: (isReached) => new PrinterError('no answer', { mayBePrinted: isReached }),
        }),
    },
  };
}
