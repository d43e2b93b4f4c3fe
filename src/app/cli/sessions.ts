import type { Static } from 'typebox';
import type { SessionSchema } from '../../surfaces/operator/stores.route.ts';
import { alignedTable, answer, type OutputOptions, secondsText } from './output.ts';

export function answerSessions(options: OutputOptions, sessions: readonly Static<typeof SessionSchema>[]): void {
  const documents = sessions.map(({ session_id, name, device, created_at, seen_at, expires_at }) => ({
    session_id,
    ...(name !== null && { name }),
    device,
    created_at: secondsText(created_at),
    seen_at: secondsText(seen_at),
    expires_at: secondsText(expires_at),
  }));
  const rows = documents.map(({ session_id, name = '', seen_at, expires_at, device }) => [
    session_id,
    name,
    seen_at,
    expires_at,
    device,
  ]);
  answer(options, { sessions: documents }, alignedTable(['SESSION', 'NAME', 'LAST SEEN', 'EXPIRES', 'DEVICE'], rows));
}
