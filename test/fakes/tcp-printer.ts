import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** The printer's fault on the next connection. */
export type PrinterTrouble =
  | 'paper_out'
  | 'cover_open'
  | 'offline'
  /** Runs out of paper after a part of the ticket. */
  | 'paper_out_midway'
  /** Drops the connection after this many bytes of the ticket. */
  | { dropAfter: number }
  /** Reports its state unsolicited before printing. */
  | 'report'
  /** Sends without end. */
  | 'flood'
  /** Reads nothing and answers nothing. */
  | 'hang';

export type FakePrinter = {
  /** HOST:PORT. */
  target: string;
  /** Completely printed tickets. */
  printed: Buffer[];
  /** Partially printed tickets, up to the fault. */
  torn: Buffer[];
  connections(): number;
  /** The number of status requests. */
  statesRead(): number;
  trouble(trouble: PrinterTrouble): void;
  /** Stops listening until `switchOn`. */
  switchOff(): Promise<void>;
  switchOn(): Promise<void>;
  close(): Promise<void>;
};

export type FakePrinterOptions = {
  /** Answers both DLE EOT and GS r, only DLE EOT, or neither, as many printers do. */
  answers?: boolean | 'state';
  /** Reads this many bytes at a time, yielding to the event loop in between. */
  slowBytes?: number;
};

const STATUS = Buffer.from([0x10, 0x04]);
/** GS r 1, the last command of a ticket. */
const END = Buffer.from([0x1d, 0x72, 0x31]);
/** The four bytes of the automatic status. */
const REPORT = Buffer.from([0x10, 0x00, 0x00, 0x0f]);
const FINE: Readonly<Record<number, number>> = { 1: 0x12, 2: 0x12, 4: 0x12 };
const STATES: Readonly<Record<string, Readonly<Record<number, number>>>> = {
  paper_out: { 1: 0x1a, 2: 0x32, 4: 0x72 },
  cover_open: { 1: 0x1a, 2: 0x16, 4: 0x12 },
  offline: { 1: 0x1a, 2: 0x12, 4: 0x12 },
};

/** A fake printer on loopback that behaves like its raw port. */
export async function startTcpPrinter({ answers = true, slowBytes }: FakePrinterOptions = {}): Promise<FakePrinter> {
  const printed: Buffer[] = [];
  const torn: Buffer[] = [];
  const troubles: PrinterTrouble[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  let total = 0;
  const count = (statesRead: number) => {
    total += statesRead;
  };
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    serve(socket, { trouble: troubles.shift(), answers, slowBytes, printed, torn, count });
  });
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  const stop = async () => {
    for (const socket of sockets) socket.destroy();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  };
  const port = await listen(0);
  return {
    target: `127.0.0.1:${port}`,
    printed,
    torn,
    connections: () => connections,
    statesRead: () => total,
    trouble: (trouble) => void troubles.push(trouble),
    switchOff: stop,
    switchOn: async () => void (await listen(port)),
    close: stop,
  };
}

type Job = {
  trouble: PrinterTrouble | undefined;
  answers: boolean | 'state';
  count: (statesRead: number) => void;
  slowBytes: number | undefined;
  printed: Buffer[];
  torn: Buffer[];
};

function serve(socket: Socket, { trouble, answers, slowBytes, printed, torn, count }: Job): void {
  if (trouble === 'hang') return void socket.pause();
  if (trouble === 'flood') return void socket.write(Buffer.alloc(100_000, 0xff));
  if (trouble === 'report') socket.write(REPORT);
  let ticket = Buffer.alloc(0);
  let hasPaper = true;
  const take = (chunk: Buffer) => {
    const { statesRead, rest } = splitStatus(chunk);
    count(statesRead.length);
    if (answers) for (const n of statesRead) socket.write(Uint8Array.of(stateOf(trouble, hasPaper)[n] ?? 0x12));
    if (trouble === 'report' && ticket.length === 0 && rest.length > 0) socket.write(REPORT);
    ticket = Buffer.concat([ticket, rest]);
    if (trouble === 'paper_out_midway' && ticket.length > 0 && hasPaper) {
      hasPaper = false;
      torn.push(ticket);
    }
    if (typeof trouble === 'object' && ticket.length >= trouble.dropAfter) {
      torn.push(ticket.subarray(0, trouble.dropAfter));
      return void socket.resetAndDestroy();
    }
    if (!hasPaper || !ticket.subarray(-END.length).equals(END)) return;
    printed.push(ticket);
    ticket = Buffer.alloc(0);
    if (answers === true) socket.write(Uint8Array.of(0));
  };
  socket.on('readable', () => readSlowly(socket, slowBytes, take));
  socket.on('end', () => hasPaper && socket.end());
}

function readSlowly(socket: Socket, slowBytes: number | undefined, take: (chunk: Buffer) => void): void {
  const size = slowBytes === undefined ? undefined : Math.min(slowBytes, socket.readableLength || 1);
  const chunk: Buffer | null = socket.read(size);
  if (chunk === null) return;
  take(chunk);
  setImmediate(() => readSlowly(socket, slowBytes, take));
}

function stateOf(trouble: PrinterTrouble | undefined, hasPaper: boolean): Readonly<Record<number, number>> {
  if (!hasPaper) return STATES.paper_out ?? FINE;
  return (typeof trouble === 'string' && STATES[trouble]) || FINE;
}

/** Status requests are answered at once and are not part of a ticket. */
function splitStatus(chunk: Buffer): { statesRead: number[]; rest: Buffer } {
  const statesRead: number[] = [];
  let rest = chunk;
  while (rest.subarray(0, STATUS.length).equals(STATUS) && rest.length > STATUS.length) {
    statesRead.push(rest[STATUS.length] ?? 0);
    rest = rest.subarray(STATUS.length + 1);
  }
  return { statesRead, rest };
}
