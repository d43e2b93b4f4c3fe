import { Command } from 'commander';
import { issueAccessCode } from '../../access/sessions/sign-in.flow.ts';
import { systemClock } from '../../platform/lib/clock.ts';
import { answer, momentText, type OutputOptions } from './output.ts';
import { answerSessions, revokeAndList } from './sessions.ts';
import { withDatabase } from './with-database.ts';

export function operatorsCommand(): Command {
  return new Command('operators')
    .description("Let people into the operator's view, which sees every account and store.")
    .addCommand(inviteCommand())
    .addCommand(sessionsCommand());
}

function inviteCommand(): Command {
  return new Command('invite')
    .description("Create an access code for the operator's view. It works once, within 48 hours.")
    .option('--json', 'print one JSON document: { code, expires_at }')
    .action(async (options: OutputOptions) => {
      const { code, expiresAt, url } = await withDatabase(async ({ db, config }) => ({
        ...(await issueAccessCode(db, null, systemClock.now())),
        url: `${config.baseUrl}/console`,
      }));
      const text = `${code}\nSign in at ${url} by ${momentText(expiresAt)}. The code works once.`;
      answer(options, { code, expires_at: momentText(expiresAt) }, text);
    });
}

function sessionsCommand(): Command {
  return new Command('sessions')
    .description("List operators' open sessions, or end one.")
    .option('--revoke <session_id>', 'end this session')
    .option('--json', 'print one JSON document: { sessions: [{ session_id, device, created_at, seen_at }] }')
    .action(async (options: OutputOptions & { revoke?: string }) => {
      answerSessions(options, await withDatabase(({ db }) => revokeAndList(db, null, options.revoke)));
    });
}
