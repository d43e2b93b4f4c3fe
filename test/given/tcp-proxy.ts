import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export type TcpProxy = {
  port: number;
  /** Stops forwarding in both directions but keeps every connection, like a network that drops packets. */
  hold(): void;
  /** Closes every connection, and each new one at once, like a server that is down. */
  cut(): void;
  /** Forwards again, including held bytes. */
  resume(): void;
  /** Points new connections at another server, as a virtual IP does on failover. */
  aim(target: Target): void;
  close(): Promise<void>;
};

/** A port of loopback, or the path of a Unix socket. */
type Target = number | string;

/** A loopback TCP proxy in front of a local server, with faults set by the test. */
export async function givenTcpProxy(firstTarget: Target): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  /** Connections that arrived while forwarding was stopped. */
  const held = new Set<Socket>();
  let target = firstTarget;
  let state: 'forwarding' | 'holding' | 'cut' = 'forwarding';

  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  };
  const forward = (client: Socket) => {
    const server = typeof target === 'string' ? connect(target) : connect(target, '127.0.0.1');
    keep(server);
    client.on('close', () => server.destroy());
    server.on('close', () => client.destroy());
    for (const [from, to] of [[client, server] as const, [server, client] as const]) {
      from.on('data', (bytes) => {
        // Not `pipe`: a stream that is resumed by its pipe would forward while the proxy holds.
        if (!to.write(bytes)) from.pause();
      });
      to.on('drain', () => state === 'forwarding' && from.resume());
    }
  };
  const cutAll = () => {
    for (const socket of sockets) socket.destroy();
    held.clear();
  };
  const proxy = createServer((client) => {
    keep(client);
    if (state === 'cut') client.destroy();
    else if (state === 'holding') held.add(client.pause());
    else forward(client);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    port: (proxy.address() as AddressInfo).port,
    hold() {
      state = 'holding';
      for (const socket of sockets) socket.pause();
    },
    cut() {
      state = 'cut';
      cutAll();
    },
    resume() {
      state = 'forwarding';
      for (const socket of sockets) if (!held.has(socket)) socket.resume();
      for (const client of held) if (!client.destroyed) forward(client.resume());
      held.clear();
    },
    aim(next) {
      target = next;
    },
    async close() {
      cutAll();
      proxy.close();
      await once(proxy, 'close');
    },
  };
}

/** A proxy in front of a connection string's server, and the string that connects through the proxy. */
export async function givenProxied(connectionString: string): Promise<{ proxy: TcpProxy; connectionString: string }> {
  const url = new URL(connectionString);
  const folder = url.searchParams.get('host');
  const proxy = await givenTcpProxy(folder === null ? Number(url.port) : `${folder}/.s.PGSQL.${url.port}`);
  url.host = `127.0.0.1:${proxy.port}`;
  url.searchParams.delete('host');
  return { proxy, connectionString: url.href };
}
