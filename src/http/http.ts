import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify';
import type { RefusalCode } from './refusal.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Answers without a key. */
    public?: true;
    /** Refuses live keys with 403 `sandbox_only`. */
    sandboxOnly?: true;
    /** The codes of the refusals that only this endpoint, or few, can answer with: for the API's description. */
    refuses?: readonly RefusalCode[];
    /** The body carries a card: whole numbers beyond 2^53 arrive as their digits, and nothing of it is kept. */
    carriesCard?: true;
  }
}

export type Http = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;
