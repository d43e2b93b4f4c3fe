import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export type ReceivedCall = {
  path: string;
  id: string;
  headers: Record<string, string>;
  body: string;
};

export type Answerer = (call: ReceivedCall, response: ServerResponse, socket: Socket) => void;

export type Receiver = {
  url: string;
  calls: ReceivedCall[];
  connections(): number;
  /** Replaces the response to later calls; 204 by default. */
  answer: Answerer;
  close(): Promise<void>;
};

export async function givenReceiver(answer: Answerer = (_call, response) => response.writeHead(204).end()) {
  let connections = 0;
  const receiver: Receiver = {
    url: '',
    calls: [],
    connections: () => connections,
    answer,
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
  const server = createServer((request, response) => {
    response.on('error', () => {});
    read(request).then(
      (call) => {
        receiver.calls.push(call);
        receiver.answer(call, response, request.socket);
      },
      () => {},
    );
  });
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return receiver;
}

async function read(request: IncomingMessage): Promise<ReceivedCall> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const headers = request.headers as Record<string, string>;
  return {
    path: request.url ?? '',
    id: headers['webhook-id'] ?? '',
    headers,
    body: Buffer.concat(chunks).toString('utf8'),
  };
}
