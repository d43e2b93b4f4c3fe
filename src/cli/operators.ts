import { Command } from 'commander';
import { systemClock } from '../lib/clock.ts';
import { listSessions, revokeSession } from '../merchants/sessions.db.ts';
import { inviteToConsole } from '../merchants/sign-in.flow.ts';
import { CommandFailure } from './failure.ts';
import { answer, type OutputOptions, tableOf } from './output.ts';
import { withDatabase } from './with-database.ts';

export function operatorsCommand(): Command {
  return new Command('operators')
    .description("Let people into the operator's view, which sees every account and store.")
    .addCommand(inviteCommand())
    .addCommand(sessionsCommand());
}

function inviteCommand(): Command {
  return new Command('invite')
    .description("Make an access code for the operator's view. The code works once, for 48 hours.")
    .option('--json', 'answer with one JSON document: { code, expires_at }')
    .action(async (options: OutputOptions) => {
      const { code, expiresAt, url } = await withDatabase(async ({ db, config }) => ({
        ...(await inviteToConsole(db, null, systemClock.now())),
        url: `${config.baseUrl}/console`,
      }));
      const text = `${code}\nSign in at ${url} until ${expiresAt}. The code works once.`;
      answer(options, { code, expires_at: expiresAt.toString() }, text);
    });
}

function sessionsCommand(): Command {
  return new Command('sessions')
    .description('List the open sessions of operators, or end one.')
    .option('--revoke <session_id>', 'end this session')
    .option('--json', 'answer with one JSON document: { sessions: [{ session_id, device, created_at, seen_at }] }')
    .action(async (options: OutputOptions & { revoke?: string }) => {
      const sessions = await withDatabase(async ({ db }) => {
        const now = systemClock.now();
        const { revoke: sessionId } = options;
        if (sessionId !== undefined && !(await revokeSession(db, { sessionId, storeId: null }, now))) {
          throw new CommandFailure(`No operator has an open session ${sessionId}.`);
        }
        return listSessions(db, null, now);
      });
      const documents = sessions.map(({ sessionId, device, createdAt, seenAt }) => ({
        ...{ session_id: sessionId, device, created_at: createdAt.toString(), seen_at: seenAt.toString() },
      }));
      const rows = documents.map((session) => [session.session_id, session.seen_at, session.device]);
      answer(options, { sessions: documents }, tableOf(['SESSION', 'LAST SEEN', 'DEVICE'], rows));
    });
}
