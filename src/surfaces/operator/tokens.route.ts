import { Type } from 'typebox';
import { operation } from '../../access/operations/operation.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Context } from '../../platform/db/context.ts';
import { replaceFingerprints, retireTokenSecret, rotateTokenSecret } from '../../platform/db/token-secret.db.ts';
import { describedObject, flag } from '../../platform/http/api-components.ts';
import { Refusal } from '../../platform/http/refusal.ts';

/** The secret that seals tokens and links. Running nodes keep the secrets that they started with. */

type Needs = Context & { config: Pick<Config, 'tokenSecret'> };

const IS_SET =
  "TOKEN_SECRET is set, so the secret isn't in the database. Give TOKEN_SECRET a new value, and move its old value to TOKEN_SECRET_PREVIOUS.";
const HAS_PREVIOUS =
  'The previous secret is still accepted. Retire it first with `doorstep tokens retire`, or end both with --keep-previous off.';

const RESTART = 'Restart every node now. Running nodes keep the secrets they started with.';

export const rotateTokensOperation = operation({
  endpoint: 'POST /tokens/rotate',
  refuses: ['transition_not_allowed'],
  summary: 'Rotate the secret that seals tokens and links',
  description:
    'Restart every node afterward. If TOKEN_SECRET is set, the database contains no secret: without `keep_previous`, only nodes with its current value can start.',
  body: Type.Object({
    keep_previous: flag("Whether the old secret's tokens stay valid until it's retired. Defaults to `true`."),
  }),
  answer: describedObject('Nodes that start from now on use the new secret.', {
    rotated: Type.Literal(true),
    previous_kept: Type.Boolean(),
    is_stored: Type.Boolean({ description: 'Whether the secret is in the database. `false` with TOKEN_SECRET.' }),
  }),
  on: { operator: { command: 'tokens rotate', next: RESTART, role: 'admin' } },
}).run(async (needs: Needs, { save, body: { keep_previous: keepsPrevious = true } }) => {
  const { tokenSecret } = needs.config;
  await save(
    async (tx) => {
      if (keepsPrevious) requireStored(needs);
      else await replaceFingerprints(tx, tokenSecret);
      if (tokenSecret === undefined && !(await rotateTokenSecret(tx, { keepsPrevious }))) {
        throw new Refusal('transition_not_allowed', HAS_PREVIOUS);
      }
    },
    () => ({ action: 'tokens.rotate', target: 'service', details: { previous_kept: keepsPrevious } }),
  );
  return { rotated: true as const, previous_kept: keepsPrevious, is_stored: tokenSecret === undefined };
});

export const retireTokensOperation = operation({
  endpoint: 'POST /tokens/retire',
  refuses: ['transition_not_allowed'],
  summary: 'Delete the previous secret',
  description: 'Its tokens and links stop working. Restart every node afterward.',
  body: Type.Object({}),
  answer: describedObject('Nodes that start from now on refuse its tokens.', {
    retired: Type.Boolean({ description: '`false` if there was no previous secret.' }),
  }),
  on: { operator: { command: 'tokens retire', next: RESTART, role: 'admin' } },
}).run(async (needs: Needs, { save }) => {
  requireStored(needs);
  const change = { action: 'tokens.retire', target: 'service', details: {} } as const;
  return { retired: await save(retireTokenSecret, () => change) };
});

function requireStored({ config }: Needs): void {
  if (config.tokenSecret !== undefined) throw new Refusal('transition_not_allowed', IS_SET);
}
