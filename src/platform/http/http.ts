import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify';
import type { Client } from './client-of.ts';
import type { Refusal, RefusalCode } from './refusal.ts';

declare module 'fastify' {
  interface FastifyRequest {
    client: Client;
    /** The key, the session or else the client address whose bounds the request counts in. */
    holder: string;
    /** In whose turns the work of the request runs: an account and mode, a store, the operators; undefined for a stranger. */
    owner: string | undefined;
  }
  interface FastifyInstance {
    unreadAnswers: AnswerBounds;
    /** Counts an answer that is sent; `bytes` before compression. */
    countAnswer(request: FastifyRequest, bytes: number): void;
  }
  interface FastifySchema {
    example?: RequestExample;
  }
  interface FastifyContextConfig {
    /** Answers without a key. */
    public?: true;
    /** Requests without a key are not counted for their client: probes, files, and bodies whose signature is a key. */
    uncounted?: true;
    /** Answers programs of this machine alone. */
    localOnly?: true;
    /** Takes the store keys and console sessions of stores, or the console sessions of operators, instead of an account's key. */
    audience?: 'store' | 'operator';
    /** Refuses live keys with 403 `sandbox_only`. */
    sandboxOnly?: true;
    /** The codes of the refusals that this endpoint answers with and most do not: for the API's description. */
    refuses?: readonly RefusalCode[];
    /** Answers carry an `ETag`, and are 304 where `If-None-Match` names it: for the API's description. */
    conditional?: true;
    /** Headers that this endpoint reads and others of its kind do not, as schemas: for the API's description. */
    readsHeaders?: Readonly<Record<string, object>>;
    /** A byte of the answer counts as so many bytes of the holder's pace; 1 where absent. */
    paceWeight?: number;
    /** The body carries a card: whole numbers beyond 2^53 arrive as their digits, and no part of the body is kept. */
    carriesCard?: true;
  }
}

/** What bounds the bytes of answers that their clients have not read; `src/platform/load` provides it. */
export type AnswerBounds = {
  /** The refusal of an answer that passes a bound; undefined where it may be sent. */
  refusalOf(holder: string, bytes: number): Refusal | undefined;
  /** Counts the bytes until the client has taken the answer or is gone. */
  hold(holder: string, bytes: number, response: ServerResponse): void;
  /** The bytes that this process holds now. */
  total(): number;
};

/**
 * A request that succeeds on the demo, for the API's description. `{order_id}` in a text stands for what a former answer
 * gave under that name; a parameter of the path that is left out is such an id too.
 */
export type RequestExample = {
  path?: Readonly<Record<string, string | number>>;
  query?: Readonly<Record<string, string | number | boolean>>;
  body?: object;
};

export type Http = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;
