import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { randomId } from '../lib/random-id.ts';
import { problemOf } from './problem.ts';
import { Refusal } from './refusal.ts';

const UNREADABLE = 'The request could not be read.';
/** Node's own limit counts the address and all headers together. */
const HEAD_TOO_LONG = 'The address and the headers together are longer than 16 KiB.';

type Exchange = { request: IncomingMessage; response: ServerResponse };

/** Answers that one server gives in place of Node's own, which have no body. */
export type UnreadableRequests = {
  /**
   * Answers CONNECT and unknown expectations of the server. The server is created with `requireHostHeader: false` for the
   * same reason.
   */
  answerOn(server: Server): void;
  /** The server's `clientErrorHandler`. */
  answer(error: Error & { code?: string }, socket: Duplex): void;
};

export function createUnreadableRequests(): UnreadableRequests {
  /** The last parsed request of each connection. */
  const lastOf = new WeakMap<Duplex, Exchange>();
  return {
    answerOn(server) {
      server.prependListener('request', (request, response) => lastOf.set(request.socket, { request, response }));
      server.on('connect', (_request, socket) => refuseOn(socket, UNREADABLE));
      server.on('checkExpectation', (request, response) => server.emit('request', request, response));
    },
    answer: (error, socket) => answerUnreadable(error, socket, lastOf.get(socket)),
  };
}

/**
 * Answers bytes that are no HTTP request with a problem document and ends the connection. An earlier request of the same
 * connection gets its own answer first; otherwise its client would take the problem document for that answer.
 */
function answerUnreadable(error: Error & { code?: string }, socket: Duplex, last: Exchange | undefined): void {
  // The fault lies in the body of a request that is already answered: a second answer would belong to no request.
  const isAnswered = last && !last.request.complete && last.response.headersSent;
  const isWaiting = last?.request.complete && !last.response.writableFinished;
  const refuse = () => refuseOn(socket, error.code === 'HPE_HEADER_OVERFLOW' ? HEAD_TOO_LONG : UNREADABLE);
  if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
  else if (isAnswered) socket.end();
  else if (isWaiting) last.response.once('close', refuse);
  else refuse();
}

function refuseOn(socket: Duplex, sentence: string): void {
  if (!socket.writable) return;
  const requestId = randomId('req_', 12);
  const body = JSON.stringify(problemOf(new Refusal('invalid_request', sentence), requestId));
  socket.end(
    `HTTP/1.1 400 Bad Request\r\ncontent-type: application/problem+json\r\nx-request-id: ${requestId}\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}
