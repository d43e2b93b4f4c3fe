import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest, RawServerDefault } from 'fastify';
import type { Client } from './client-of.ts';
import type { Refusal, RefusalCode } from './refusal.ts';

declare module 'fastify' {
  interface FastifyRequest {
    client: Client;
    /** The key, session or client address whose limits count the request. */
    holder: string;
    /** The owner for scheduling: an account and mode, a store, or the operators; undefined without a key. */
    owner: string | undefined;
  }
  interface FastifyInstance {
    unreadAnswers: AnswerBounds;
    /** Files that the pages of this server need before it listens. */
    pageLoads: (() => Promise<unknown>)[];
    /** Counts a sent answer; `bytes` is its size before compression. */
    countAnswer(request: FastifyRequest, bytes: number): void;
  }
  interface FastifySchema {
    example?: RequestExample;
  }
  interface FastifyContextConfig {
    /** Whether the endpoint needs no key. */
    public?: true;
    /** Whether a valid key that an endpoint does not need still sets the limits of the request. */
    mayHaveKey?: true;
    /** Whether an endpoint without a key is exempt from the client's rate limit: probes, files, signed bodies. */
    uncounted?: true;
    /** Whether an endpoint without a key counts its callers itself, because many of them share an address. */
    countsCallers?: true;
    /** Whether only programs on this machine may call it. */
    localOnly?: true;
    /** Error codes in the API description beyond the common ones. */
    refuses?: readonly RefusalCode[];
    /**
     * The page of an error for browsers. Programs that prefer JSON get the problem, and browsers if the page fails.
     */
    refusalPage?: RefusalPage;
    /** Whether answers contain an `ETag`, or return 304 if `If-None-Match` matches; for the API description. */
    conditional?: true;
    /** Schemas of headers that only this endpoint reads, for the API description. */
    readsHeaders?: Readonly<Record<string, object>>;
    /** Whether the body is a file of several megabytes, which is counted apart from the bodies of other requests. */
    largeBody?: true;
    /** Factor of each byte in the holder's rate; 1 by default. */
    paceWeight?: number;
    /**
     * Whether the body contains card data. Then integers beyond 2^53 are kept as digits, and no part of the body is
     * stored.
     */
    carriesCard?: true;
  }
}

/** Writes the HTML page of an error, and sets the headers of that page. */
export type RefusalPage = (
  request: FastifyRequest,
  reply: FastifyReply,
  code: RefusalCode | 'internal_error',
) => Promise<string>;

/** Limits the unread bytes of answers; implemented by `src/platform/load`. */
export type AnswerBounds = {
  /** Returns the error of a response beyond a limit; undefined if it can be sent. */
  refusalOf(holder: string, bytes: number): Refusal | undefined;
  /** Counts the bytes until the client has read the response or has disconnected. */
  hold(holder: string, bytes: number, response: ServerResponse): void;
  total(): number;
};

/**
 * A request that succeeds on the demo, for the API description. `{order_id}`, or an omitted path parameter, is replaced
 * by the id that an earlier answer returned under that name.
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
