import { type Attack, repeat, type Target } from './attack.ts';
import { CITY } from './shops.ts';

const CONNECTIONS = 40;

/** Calls an MCP tool and returns the response's status. */
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

export const attack: Attack = {
  name: 'connections of one key search stores over MCP',
  run: (target) =>
    repeat(target, CONNECTIONS, (connection) =>
      callTool(target, 'search_stores', {
        query: 'golden',
        latitude: CITY.latitude + connection * 0.01,
        longitude: CITY.longitude,
      }),
    ),
};
