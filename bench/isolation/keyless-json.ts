import { type Attack, repeat } from './attack.ts';
import { sendKeyless } from './keyless.ts';

const CONNECTIONS = 40;
/** The second has the most members that a body without a key has room for. */
const BODIES = [5000, 2200].map((count) =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, n) => [n.toString(36), 0]))),
);
const signIn = (connection: number) => ({
  path: '/console/sign-in',
  body: BODIES[(connection >> 2) % BODIES.length] as string,
  headers: { 'content-type': 'application/json' },
});

export const attack: Attack = {
  name: 'connections without a key post JSON of 5,000 members, and of 2,200',
  run: (target) => repeat(target, CONNECTIONS, (connection) => sendKeyless(target, connection, signIn(connection))),
};
