import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify';
import type { Client } from './client-of.ts';
import type { Refusal, RefusalCode } from './refusal.ts';

declare module 'fastify' {
  interface FastifyRequest {
    client: Client;
    /** The key, session or client address whose limits the request counts against. */
    holder: string;
    /**
     * Whose work the request is, for scheduling: an account and mode, a store, or the operators; undefined without a
     * key.
     */
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
    /** Needs no key. */
    public?: true;
    /** Exempt from the client's rate limit although it needs no key: probes, files, and signed bodies. */
    uncounted?: true;
    /** Only for programs on this machine. */
    localOnly?: true;
    /**
     * Accepts store keys and console sessions of stores, or console sessions of operators, instead of an account's key.
     */
    audience?: 'store' | 'operator';
    /** Refuses live keys with 403 `sandbox_only`. */
    sandboxOnly?: true;
    /** Refusal codes of this endpoint beyond the common ones, for the API description. */
    refuses?: readonly RefusalCode[];
    /** Answers have an `ETag`, or are 304 if `If-None-Match` matches; for the API description. */
    conditional?: true;
    /** Headers that only this endpoint reads, as schemas, for the API description. */
    readsHeaders?: Readonly<Record<string, object>>;
    /** How many bytes of the holder's rate each byte counts for; 1 by default. */
    paceWeight?: number;
    /** The body has card data: integers beyond 2^53 are kept as digits, and no part of the body is stored. */
    carriesCard?: true;
  }
}

/** Bounds the unread bytes of answers; provided by `src/platform/load`. */
export type AnswerBounds = {
  /** The refusal of an answer beyond a bound; undefined if it can be sent. */
  refusalOf(holder: string, bytes: number): Refusal | undefined;
  /** Counts the bytes until the client has read the answer or is gone. */
  hold(holder: string, bytes: number, response: ServerResponse): void;
  /** Unread bytes of this process now. */
  total(): number;
};

/**
 * A request that succeeds on the demo, for the API description. `{order_id}` stands for the id that an earlier answer
 * returned under that name; so does a path parameter that is left out.
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
