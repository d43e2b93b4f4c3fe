import { type PluginAnswer, type PluginRequest, type PluginRoute, type PolledTickets, readForm } from 'doorstep/plugin';

/*
 * Epson Server Direct Print. A printer posts forms to one URL: `GetRequest` fetches what to print, as ePOS-Print XML,
 * `SetResponse` reports its outcome, `SetStatus` that its state has changed. ESC/POS travels in the XML as
 * hexadecimal digits.
 */

/** A printer reports within the job's timeout. A ticket without a report is handed out again when its lease ends. */
const PRINT_TIMEOUT_MS = 15_000;
const LEASE_SECONDS = 20;

const XML = 'text/xml; charset=utf-8';
const NOTHING: PluginAnswer = { type: XML };

export function epsonRoutes(tickets: PolledTickets): PluginRoute[] {
  return [{ method: 'POST', path: '/epson/:secret', handle: (request) => answer(tickets, request) }];
}

async function answer(tickets: PolledTickets, { params, body }: PluginRequest): Promise<PluginAnswer> {
  const { secret = '' } = params;
  const { ConnectionType: kind, ResponseFile: result = '', Status: status = '' } = readForm(body);
  if (kind === 'GetRequest') return next(tickets, secret);
  if (kind === 'SetResponse') await readResult(tickets, secret, result);
  else await tickets.poll(secret, kind === 'SetStatus' ? troubleOf(asbOf(status)) : undefined);
  return NOTHING;
}

async function next(tickets: PolledTickets, secret: string): Promise<PluginAnswer> {
  const id = await tickets.poll(secret);
  const bytes = id && (await tickets.take(secret, id, { commands: 'escpos', leaseSeconds: LEASE_SECONDS }));
  return bytes ? { type: XML, body: printRequest(id, withoutStatusRequest(bytes)) } : NOTHING;
}

const PAPER_REQUEST = '1d7231';

/** The request for the paper's status is left out: the printer answers with the result of the job. */
function withoutStatusRequest(bytes: Buffer): string {
  const digits = bytes.toString('hex');
  return digits.endsWith(PAPER_REQUEST) ? digits.slice(0, -PAPER_REQUEST.length) : digits;
}

function printRequest(id: string, digits: string): string {
  return (
    `<?xml version="1.0" encoding="utf-8"?><PrintRequestInfo Version="2.00"><ePOSPrint>` +
    `<Parameter><devid>local_printer</devid><timeout>${PRINT_TIMEOUT_MS}</timeout><printjobid>${id}</printjobid></Parameter>` +
    `<PrintData><epos-print xmlns="http://www.epson-pos.com/schemas/2011/03/epos-print">` +
    `<command>${digits}</command></epos-print></PrintData></ePOSPrint></PrintRequestInfo>`
  );
}

const JOB_ID = /<printjobid>\s*([\w.-]{1,40})\s*<\/printjobid>/;
const RESPONSE = /<response\b([^>]{0,1000})>/;

/** Reads the job's id and the attributes of `<response>`; the rest of the result does not matter. */
async function readResult(tickets: PolledTickets, secret: string, result: string): Promise<void> {
  const id = JOB_ID.exec(result)?.[1];
  const attributes = RESPONSE.exec(result)?.[1];
  if (id === undefined || attributes === undefined) return void (await tickets.poll(secret));
  const isPrinted = /\bsuccess="(true|1)"/.test(attributes);
  if (isPrinted) return tickets.printed(secret, id);
  const code = /\bcode="(\w{0,40})"/.exec(attributes)?.[1] ?? '';
  await tickets.failed(secret, id, TROUBLES[code] ?? 'The printer did not print the ticket.');
}

const OUT_OF_PAPER = 'The printer is out of paper.';
const COVER_OPEN = "The printer's cover is open.";

const TROUBLES: Readonly<Record<string, string>> = {
  EPTR_REC_EMPTY: OUT_OF_PAPER,
  EPTR_COVER_OPEN: COVER_OPEN,
  EPTR_CUTTER: "The printer's cutter is blocked.",
  EPTR_MECHANICAL: 'The printer reports a mechanical error.',
  EPTR_UNRECOVERABLE: 'The printer reports an error.',
  EX_TIMEOUT: 'The printer did not finish the ticket.',
};

/** The bits of the printer's automatic status: no response, offline, cover open, paper end. */
const NO_RESPONSE = 0x1;
const OFFLINE = 0x8;
const OPEN = 0x20;
const PAPER_END = 0x80000;

function asbOf(status: string): number {
  const [, digits = '0'] = /\basbstatus\s?=\s?"0x([0-9a-f]{1,8})"/i.exec(status) ?? [];
  return Number.parseInt(digits, 16);
}

function troubleOf(asb: number): string | null {
  if (asb & PAPER_END) return OUT_OF_PAPER;
  if (asb & OPEN) return COVER_OPEN;
  return asb & (NO_RESPONSE | OFFLINE) ? 'The printer is offline.' : null;
}
