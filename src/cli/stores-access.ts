import { Command } from 'commander';
import type { Sql } from '../db/connect.ts';
import { systemClock } from '../lib/clock.ts';
import { issueStoreKey } from '../merchants/issue-store-key.flow.ts';
import { listSessions, revokeSession } from '../merchants/sessions.db.ts';
import { inviteToConsole } from '../merchants/sign-in.flow.ts';
import { findStore } from '../stores/stores.db.ts';
import { CommandFailure } from './failure.ts';
import { answer, type OutputOptions, tableOf } from './output.ts';
import { requireAccount } from './require-account.ts';
import { withDatabase } from './with-database.ts';

const STORE_ID = ['<store_id>', 'the id that `stores list` and store search show'] as const;

/** `doorstep stores invite`: a code that opens the store's console once. */
export function inviteStoreCommand(): Command {
  return new Command('invite')
    .description('Make an access code for the console of a store. The code works once, for 48 hours.')
    .argument(...STORE_ID)
    .option('--sandbox <account_id>', 'see and step the sandbox orders of this account only')
    .option('--json', 'answer with one JSON document: { code, expires_at }')
    .action(async (storeId: string, options: OutputOptions & { sandbox?: string }) => {
      const { code, expiresAt, url } = await withDatabase(async ({ db, config }) => {
        await requireStore(db, storeId);
        if (options.sandbox !== undefined) await requireAccount(db, options.sandbox);
        const invitation = await inviteToConsole(db, storeId, systemClock.now(), options.sandbox);
        return { ...invitation, url: `${config.baseUrl}/console${options.sandbox === undefined ? '' : '?sandbox'}` };
      });
      const text = `${code}\nSign in at ${url} until ${expiresAt}. The code works once.`;
      answer(options, { code, expires_at: expiresAt.toString() }, text);
    });
}

/** `doorstep stores key`: a key for a point of sale, or for an integrator's sandbox orders. */
export function storeKeyCommand(): Command {
  return new Command('key')
    .description("Create a key of the Store API: of the store's live orders, or of an account's sandbox orders there.")
    .argument(...STORE_ID)
    .option('--sandbox <account_id>', 'see and step the sandbox orders of this account only')
    .option('--json', 'answer with one JSON document: { key_id, key, mode }')
    .action(async (storeId: string, options: OutputOptions & { sandbox?: string }) => {
      const { keyId, key, mode } = await withDatabase(async ({ db }) => {
        await requireStore(db, storeId);
        if (options.sandbox !== undefined) await requireAccount(db, options.sandbox);
        return issueStoreKey(db, { storeId, accountId: options.sandbox ?? null }, systemClock.now());
      });
      const text = `${key}\nThis is the ${mode} store key ${keyId}. Keep the key: no command shows it again.`;
      answer(options, { key_id: keyId, key, mode }, text);
    });
}

/** `doorstep stores sessions`: the open consoles of a store, and the end of one. */
export function storeSessionsCommand(): Command {
  return new Command('sessions')
    .description('List the open console sessions of a store, or end one.')
    .argument(...STORE_ID)
    .option('--revoke <session_id>', 'end this session')
    .option('--json', 'answer with one JSON document: { sessions: [{ session_id, device, created_at, seen_at }] }')
    .action(async (storeId: string, options: OutputOptions & { revoke?: string }) => {
      const sessions = await withDatabase(async ({ db }) => {
        await requireStore(db, storeId);
        const now = systemClock.now();
        const { revoke: sessionId } = options;
        if (sessionId !== undefined && !(await revokeSession(db, { sessionId, storeId }, now))) {
          throw new CommandFailure(`The store has no open session ${sessionId}.`);
        }
        return listSessions(db, storeId, now);
      });
      const documents = sessions.map(({ sessionId, device, createdAt, seenAt }) => ({
        ...{ session_id: sessionId, device, created_at: createdAt.toString(), seen_at: seenAt.toString() },
      }));
      const rows = documents.map((session) => [session.session_id, session.seen_at, session.device]);
      answer(options, { sessions: documents }, tableOf(['SESSION', 'LAST SEEN', 'DEVICE'], rows));
    });
}

async function requireStore(sql: Sql, storeId: string): Promise<void> {
  if (!(await findStore(sql, storeId))) throw new CommandFailure(`There is no store ${storeId}.`);
}
