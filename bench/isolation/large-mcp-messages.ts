import { type Attack, repeat } from './attack.ts';
import { callTool } from './mcp-messages.ts';

const CONNECTIONS = 40;
/** Close to the maximum number of values and bytes of a body. */
const GIVEN = { query: 'x', filters: Array.from({ length: 45_000 }, () => 'filler of some bytes') };

export const attack: Attack = {
  name: 'connections of one key send MCP messages of nearly a mebibyte',
  run: (target) => repeat(target, CONNECTIONS, () => callTool(target, 'search_stores', GIVEN)),
};
