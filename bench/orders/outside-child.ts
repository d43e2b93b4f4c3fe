import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';

/** A mail server and a webhook endpoint that accept everything, in one child process. */
let mails = 0;
let calls = 0;

const ANSWERS: Readonly<Record<string, string>> = { EHLO: '250 bench', DATA: '354 go on', QUIT: '221 bye' };

/** Minimal SMTP, enough for a client that sends one mail after another over a kept-alive connection. */
function takeMails(socket: Socket): void {
  let isInData = false;
  let text = '';
  socket.setNoDelay(true);
  socket.on('error', () => {});
  socket.write('220 bench\r\n');
  socket.on('data', (bytes) => {
    text += bytes.toString('latin1');
    for (;;) {
      const end = isInData ? text.indexOf('\r\n.\r\n') : text.indexOf('\r\n');
      if (end === -1) return;
      const command = text.slice(0, 4).toUpperCase();
      text = text.slice(end + (isInData ? 5 : 2));
      if (isInData) mails += 1;
      socket.write(`${isInData ? '250 taken' : (ANSWERS[command] ?? '250 ok')}\r\n`);
      isInData = !isInData && command === 'DATA';
    }
  });
}

const smtp = createTcpServer(takeMails);
const endpoint = createServer((request, response) => {
  request.resume().on('end', () => {
    calls += 1;
    response.writeHead(204).end();
  });
});
const portOf = (server: { address(): AddressInfo | string | null }) => (server.address() as AddressInfo).port;
smtp.listen(0, '127.0.0.1', () => {
  endpoint.listen(0, '127.0.0.1', () => {
    const urls = { smtpUrl: `smtp://127.0.0.1:${portOf(smtp)}`, endpointUrl: `http://127.0.0.1:${portOf(endpoint)}/` };
    process.send?.(urls);
  });
});
process.on('message', () => process.send?.({ ...process.cpuUsage(), rss: 0, mails, calls }));
process.once('disconnect', () => process.exit(0));
