import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type Answer, type Key, requestTo, send, signed } from './platform.ts';

/** A bound platform that orders food, over either transport. */

type Json = Record<string, unknown>;
export type Transport = 'rest' | 'mcp';
export type BuyerOptions = {
  /** Where the draft's profile is. */
  url: string;
  profile: string;
  key: Key;
  transport?: Transport;
  headers?: Record<string, string>;
};

/** An answer: `body` is a checkout, an outcome, or a refusal, whichever transport brought it. */
export type Buyer = ReturnType<typeof buyerOf>;

const COVERED = ['@method', '@authority', '@path', 'ucp-agent'];

export function buyerOf({ url, profile, key, transport = 'rest', headers = {} }: BuyerOptions) {
  const sendSigned = (method: string, target: string, body: object | undefined, more: Record<string, string>) => {
    const sent = { ...requestTo(target, body ?? '', profile, { ...headers, ...more }), method };
    const withBody = body === undefined ? [] : ['content-digest', 'content-type'];
    const withKey = 'idempotency-key' in more ? ['idempotency-key'] : [];
    const withQuery = target.includes('?') ? ['@query'] : [];
    return send(signed(sent, key, { components: [...COVERED, ...withBody, ...withKey, ...withQuery] }));
  };
  const tool = async (name: string, args: Json, idempotencyKey: string | undefined): Promise<Answer> => {
    const keyed = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey };
    const meta = { 'ucp-agent': { profile }, ...keyed };
    const message = {
      jsonrpc: '2.0',
      id: randomUUID(),
      method: 'tools/call',
      params: { name, arguments: { meta, ...args } },
    };
    const answer = await sendSigned('POST', `${url}/ucp/draft/mcp`, message, {});
    const { result, error, id } = answer.body;
    assert.equal(id, message.id);
    return { ...answer, body: error?.data ?? result?.structuredContent ?? answer.body };
  };
  const call = (
    name: string,
    rest: { method: string; path: string; body?: object },
    args: Json,
    idempotencyKey?: string,
  ) => {
    if (transport === 'mcp') return tool(name, args, idempotencyKey);
    const keyed: Record<string, string> = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey };
    return sendSigned(rest.method, `${url}/ucp/draft${rest.path}`, rest.body, keyed);
  };
  return {
    transport,
    create: (checkout: object, key?: string) =>
      call('create_checkout', { method: 'POST', path: '/checkouts', body: checkout }, { checkout }, key),
    read: (id: string) => call('get_checkout', { method: 'GET', path: `/checkouts/${id}` }, { id }),
    update: (id: string, checkout: object, key?: string) =>
      call('update_checkout', { method: 'PUT', path: `/checkouts/${id}`, body: checkout }, { id, checkout }, key),
    complete: (id: string, checkout: object, key: string | undefined = randomUUID()) =>
      call(
        'complete_checkout',
        { method: 'POST', path: `/checkouts/${id}/complete`, body: checkout },
        { id, checkout },
        key,
      ),
    cancel: (id: string, key: string | undefined = randomUUID()) =>
      call('cancel_checkout', { method: 'POST', path: `/checkouts/${id}/cancel`, body: {} }, { id }, key),
    menu: (query: Record<string, string>) =>
      call('get_menu', { method: 'GET', path: `/menu?${new URLSearchParams(query)}` }, query),
    sendSigned,
  };
}

/** The token of the sandbox's gateway that is charged, as an instrument of the handler. */
export const payBy = (token: string) => ({
  payment: {
    instruments: [
      { id: 'instr_1', handler_id: 'card_token', type: 'card', selected: true, credential: { type: 'token', token } },
    ],
  },
});
