/** The content of `postmaster.pid`. PostgreSQL writes it line by line, so later lines may be missing. */
export type PostmasterFile = {
  pid: number;
  status: 'starting' | 'ready' | 'stopping';
};

const PID_LINE = 0;
const STATUS_LINE = 7;

/**
 * Reads the text of `postmaster.pid` (PostgreSQL 18, `include/utils/pidfile.h`).
 * Undefined when there is no process number in it, as after a machine lost power while it was written.
 */
export function parsePostmasterFile(text: string): PostmasterFile | undefined {
  const lines = text.split('\n').map((line) => line.trim());
  const pid = Number(lines[PID_LINE]);
  if (!Number.isSafeInteger(pid) || pid < 2) return undefined;
  const status = lines[STATUS_LINE];
  return {
    pid,
    status: status === 'ready' || status === 'stopping' ? status : 'starting',
  };
}
