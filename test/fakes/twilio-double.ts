import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { TwilioContract } from '../contracts/twilio-contract.ts';
import { listen } from '../given/listen.ts';

/** A fault of the next call: Twilio refuses it with a status and code, never answers, drips, or breaks off. */
export type TwilioTrouble =
  | { status: number; code?: number }
  | 'hang'
  | 'drip'
  | 'reset'
  | 'html'
  | 'html_200'
  | 'lose_answer';

export type TwilioDouble = {
  baseUrl: string;
  /** Every difference between a request or answer and Twilio's published contract. */
  faults: string[];
  /** The accepted messages. */
  taken: Record<string, string>[];
  calls: { path: string; authorization: string | undefined }[];
  trouble(trouble: TwilioTrouble): void;
  close(): Promise<void>;
};

/** A fake of the part of Twilio that the adapter uses, on loopback. */
export async function startTwilioDouble(contract: TwilioContract | undefined): Promise<TwilioDouble> {
  const faults: string[] = [];
  const taken: Record<string, string>[] = [];
  const calls: TwilioDouble['calls'] = [];
  const troubles: TwilioTrouble[] = [];
  const server = createServer(async (request, response) => {
    const path = new URL(request.url ?? '/', 'http://twilio.test').pathname;
    const form = Object.fromEntries(new URLSearchParams(await text(request)));
    calls.push({ path, authorization: request.headers.authorization });
    faults.push(...(contract?.checkRequest(path, form) ?? []));
    const trouble = troubles.shift();
    if (trouble && trouble !== 'lose_answer') return misbehave(trouble, request, response);
    taken.push(form);
    const answer = createdMessage(path.split('/')[3] ?? '', form, taken.length);
    faults.push(...(contract?.checkAnswer(path, answer) ?? []));
    if (trouble === 'lose_answer') return void request.socket.destroy();
    send(response, 201, answer);
  });
  return { ...(await listen(server)), faults, taken, calls, trouble: (trouble) => void troubles.push(trouble) };
}

function misbehave(trouble: Exclude<TwilioTrouble, 'lose_answer'>, request: IncomingMessage, response: ServerResponse) {
  if (trouble === 'hang') return;
  if (trouble === 'reset') return void request.socket.resetAndDestroy();
  if (trouble === 'html' || trouble === 'html_200') {
    const status = trouble === 'html' ? 502 : 200;
    return void response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>Bad</h1>');
  }
  if (trouble === 'drip') {
    response.writeHead(201, { 'content-type': 'application/json' });
    const timer = setInterval(() => response.write(' '), 20);
    return void response.on('close', () => clearInterval(timer));
  }
  const { status, code } = trouble;
  // Twilio echoes the number in its message.
  send(response, status, {
    status,
    code: code ?? null,
    message: 'The number +12125550199 is wrong',
    more_info: 'https://x',
  });
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function createdMessage(accountSid: string, form: Record<string, string>, count: number) {
  const sid = `SM${String(count).padStart(32, '0')}`;
  const uri = `/2010-04-01/Accounts/${accountSid}/Messages/${sid}.json`;
  return {
    account_sid: accountSid,
    api_version: '2010-04-01',
    body: form.Body ?? '',
    date_created: 'Thu, 24 Aug 2023 05:01:45 +0000',
    date_sent: null,
    date_updated: 'Thu, 24 Aug 2023 05:01:45 +0000',
    direction: 'outbound-api',
    error_code: null,
    error_message: null,
    from: form.From ?? null,
    messaging_service_sid: form.MessagingServiceSid ?? null,
    num_media: '0',
    num_segments: '1',
    price: null,
    price_unit: null,
    sid,
    status: form.MessagingServiceSid ? 'accepted' : 'queued',
    subresource_uris: { media: uri.replace('.json', '/Media.json') },
    to: form.To ?? '',
    uri,
  };
}
