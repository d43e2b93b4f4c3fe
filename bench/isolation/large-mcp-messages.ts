import { type Attack, repeat } from './attack.ts';
import { callTool } from './mcp-messages.ts';

const CONNECTIONS = 40;
/** Nearly as many values as a body may have, and nearly as many bytes. */
const GIVEN = { query: 'x', filters: Array.from({ length: 45_000 }, () => 'filler of some bytes') };

/** Connections of one key send messages of the Model Context Protocol of nearly a mebibyte. */
export const attack: Attack = {
  name: 'large mcp messages',
  run: (target) => repeat(target, CONNECTIONS, () => callTool(target, 'search_stores', GIVEN)),
};
