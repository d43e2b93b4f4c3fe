import { type Attack, repeat, type Target } from './attack.ts';
import { CITY } from './shops.ts';

const CONNECTIONS = 40;

/** Calls a tool of the Model Context Protocol and returns the status of the answer. */
export async function callTool({ url, key, signal }: Target, name: string, given: object): Promise<number> {
  const reply = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { 'id-token': key, 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } }),
    signal,
  });
  await reply.arrayBuffer();
  return reply.status;
}

/** Connections of one key search stores by the Model Context Protocol. */
export const attack: Attack = {
  name: 'mcp messages',
  run: (target) =>
    repeat(target, CONNECTIONS, (connection) =>
      callTool(target, 'search_stores', {
        query: 'golden',
        latitude: CITY.latitude + connection * 0.01,
        longitude: CITY.longitude,
      }),
    ),
};
