import { type Attack, repeat } from './attack.ts';
import { sendKeyless } from './keyless.ts';

const CONNECTIONS = 40;
const SIGN_IN = {
  path: '/console/sign-in',
  body: JSON.stringify(Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [n.toString(36), 0]))),
  headers: { 'content-type': 'application/json' },
};

/** Connections without a key from four addresses post JSON of 5,000 members. */
export const attack: Attack = {
  name: 'keyless json',
  run: (target) => repeat(target, CONNECTIONS, (connection) => sendKeyless(target, connection, SIGN_IN)),
};
