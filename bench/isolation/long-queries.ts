import { type Attack, repeat } from './attack.ts';
import { sendKeyless } from './keyless.ts';

const CONNECTIONS = 40;
/** 5,000 parameters are as many as the head of a request has room for. */
const QUERY = Array.from({ length: 5000 }, (_, n) => n.toString(36))
  .join('&')
  .slice(0, 15_000);

export const attack: Attack = {
  name: 'connections without a key read a probe with 5,000 parameters',
  run: (target) =>
    repeat(target, CONNECTIONS, (connection) => sendKeyless(target, connection, { path: `/healthz?${QUERY}` })),
};
