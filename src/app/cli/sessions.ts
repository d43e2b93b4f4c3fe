import { type ConsoleSession, listSessions, revokeSession } from '../../access/sessions/sessions.db.ts';
import type { Sql } from '../../platform/db/connect.ts';
import { systemClock } from '../../platform/lib/clock.ts';
import { CommandFailure } from './failure.ts';
import { alignedTable, answer, jsonDocument, momentText, type OutputOptions } from './output.ts';

/** Ends the named console session, if any; returns the open ones of a store or (null) of operators. */
export async function revokeAndList(
  sql: Sql,
  storeId: string | null,
  sessionId: string | undefined,
): Promise<ConsoleSession[]> {
  const now = systemClock.now();
  if (sessionId !== undefined && !(await revokeSession(sql, { sessionId, storeId }, now))) {
    throw new CommandFailure(
      `${storeId === null ? 'No operator has an' : 'The store has no'} open session ${sessionId}.`,
    );
  }
  return listSessions(sql, storeId, now);
}

export function answerSessions(options: OutputOptions, sessions: readonly ConsoleSession[]): void {
  const documents = sessions.map(({ sessionId, name, device, createdAt, seenAt }) =>
    jsonDocument({ sessionId, ...(name === null ? {} : { name }), device, createdAt, seenAt }),
  );
  const rows = sessions.map(({ sessionId, name, device, seenAt }) => [
    sessionId,
    name ?? '',
    momentText(seenAt),
    device,
  ]);
  answer(options, { sessions: documents }, alignedTable(['SESSION', 'NAME', 'LAST SEEN', 'DEVICE'], rows));
}
