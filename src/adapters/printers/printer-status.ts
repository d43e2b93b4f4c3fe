const DLE = 0x10;
const EOT = 0x04;

/** Asks for the printer's state, the cause of its being offline and the state of its paper: DLE EOT 1, 2 and 4. */
export const STATUS_REQUEST = Uint8Array.of(DLE, EOT, 1, DLE, EOT, 2, DLE, EOT, 4);

/** The bits that every answer to DLE EOT has, set and unset. */
const FIXED_MASK = 0x93;
const FIXED_BITS = 0x12;

/** The first byte of a report without a request. */
const REPORT_BITS = 0x10;
const REPORT_BYTES = 4;
/** Bits that are unset in an answer to GS r. */
const PAPER_MASK = 0x90;

const OFFLINE = 0x08;
const COVER_OPEN = 0x04;
const STOPPED_BY_PAPER = 0x20;
const ERROR = 0x40;
const PAPER_OUT = 0x60;

/** The answers to STATUS_REQUEST among the bytes that a printer sent, in sequence. */
export function statusBytesOf(received: Uint8Array): number[] {
  return withoutReports(received).filter((byte) => (byte & FIXED_MASK) === FIXED_BITS);
}

/** Whether the bytes hold the answer to GS r, which a printer sends when it has read all that came before the request. */
export function hasReadAll(received: Uint8Array): boolean {
  return withoutReports(received).some((byte) => (byte & PAPER_MASK) === 0);
}

/** Printers that are set so report each change of their state by themselves, in packets of four bytes. */
function withoutReports(received: Uint8Array): number[] {
  const answers: number[] = [];
  for (let at = 0; at < received.length; at += 1) {
    const byte = received[at] ?? 0;
    if ((byte & FIXED_MASK) === REPORT_BITS) at += REPORT_BYTES - 1;
    else answers.push(byte);
  }
  return answers;
}

/** Why the printer cannot print, in words for the store; undefined for a printer that can. */
export function troubleOf([state = 0, cause = 0, paper = 0]: readonly number[]): string | undefined {
  if (paper & PAPER_OUT || cause & STOPPED_BY_PAPER) return 'The printer is out of paper.';
  if (cause & COVER_OPEN) return "The printer's cover is open.";
  if (cause & ERROR) return 'The printer reports an error.';
  return state & OFFLINE ? 'The printer is offline.' : undefined;
}
