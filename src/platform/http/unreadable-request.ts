import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { randomId } from '../lib/random-id.ts';
import { UNCACHED } from './caching.ts';
import { problemOf } from './problem.ts';
import { HTTP_REFUSALS, Refusal, refusalRecords } from './refusal.ts';

const UNREADABLE = 'The request could not be read.';
/** Node limits the address and all headers together. */
const HEAD_TOO_LONG = 'The address and headers exceed 16 KiB in total.';
const TOO_SLOW = 'The request did not arrive in time.';
const SENTENCE_OF_CODE: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: HEAD_TOO_LONG,
  ERR_HTTP_REQUEST_TIMEOUT: TOO_SLOW,
};

/** The errors that are possible before a request has its route. */
const REFUSALS = refusalRecords(HTTP_REFUSALS);
type EarlyRefusal = Refusal<keyof typeof REFUSALS>;

type Exchange = { request: IncomingMessage; response: ServerResponse };

/** Answers unreadable requests in place of Node, whose responses contain no body. */
export class UnreadableRequests {
  private readonly lastOf = new WeakMap<Duplex, Exchange>();

  /**
   * Answers CONNECT and `Expect` headers. A missing `Host` also reaches our hooks, because the server is created with
   * `requireHostHeader: false`.
   */
  answerOn(server: Server): void {
    server.prependListener('request', (request, response) => this.lastOf.set(request.socket, { request, response }));
    server.on('connect', (_request, socket) => refuseSocket(socket, unreadable(UNREADABLE)));
    // The service's hooks send the interim answer once the request is admitted.
    server.on('checkContinue', (request, response) => server.emit('request', request, response));
    server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  }

  /** Whether a connection waits for a request or the rest of one. */
  isIdle(socket: Duplex): boolean {
    const last = this.lastOf.get(socket);
    return !last || last.response.writableFinished || !last.request.complete;
  }

  /** The server's `clientErrorHandler`. */
  answer(error: Error & { code?: string }, socket: Duplex): void {
    answerUnreadable(error, socket, this.lastOf.get(socket));
  }
}

/**
 * Answers bytes that are not HTTP with a problem document and ends the connection. An earlier request on it is answered
 * first, or its client would take the problem for its response.
 */
function answerUnreadable(error: Error & { code?: string }, socket: Duplex, last: Exchange | undefined): void {
  // The error is in the body of a request that was already answered; a second response would match no request.
  const isAnswered = last && !last.request.complete && last.response.headersSent;
  const isWaiting = last?.request.complete && !last.response.writableFinished;
  const sentence = SENTENCE_OF_CODE[error.code ?? ''] ?? UNREADABLE;
  const refuse = () => refuseSocket(socket, unreadable(sentence));
  if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
  else if (isAnswered) socket.end();
  else if (isWaiting) last.response.once('close', refuse);
  else refuse();
}

const unreadable = (sentence: string) => new Refusal('invalid_request', sentence);

/** Writes an error to an idle connection and closes it. */
export function refuseSocket(socket: Duplex, refusal: EarlyRefusal): void {
  if (!socket.writable) return;
  const { status, headers, body } = lastAnswerOf(refusal);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
}

/** Answers a request that never reaches the service, then closes its connection. */
export function writeRefusal(response: ServerResponse, refusal: EarlyRefusal): void {
  const { status, headers, body } = lastAnswerOf(refusal);
  response.writeHead(status, headers).end(body);
}

function lastAnswerOf(refusal: EarlyRefusal) {
  const { status } = REFUSALS[refusal.code];
  const requestId = randomId('req_', 12);
  const body = JSON.stringify(problemOf(refusal, status, requestId));
  const headers = {
    'content-type': 'application/problem+json',
    'cache-control': UNCACHED,
    'x-request-id': requestId,
    ...refusal.extras.headers,
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  };
  return { status, headers, body };
}
