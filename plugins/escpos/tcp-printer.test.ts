import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { renderTicket } from '../../src/fulfillment/tickets/render-ticket.ts';
import { PrinterError } from '../../src/notify/outbox/printer.ts';
import { OutsideError } from '../../src/platform/lib/outside-error.ts';
import { keepsPrinterContract, ticketFor } from '../../test/contracts/printer-contract.ts';
import { decodeEscpos } from '../../test/fakes/escpos-decoder.ts';
import { type FakePrinter, type PrinterTrouble, startTcpPrinter } from '../../test/fakes/tcp-printer.ts';
import { FIRST_PRINT, givenTicketOrder } from '../../test/given/ticket.ts';
import { holdTimeOuts } from '../../test/time-outs.ts';
import { until } from '../../test/until.ts';
import { createTcpPrinter } from './tcp-printer.ts';

/** Long enough that only the test's own clock ends a wait. */
const NEVER_MS = 600_000;
const STATUS_MS = NEVER_MS / 10;
const printer = createTcpPrinter({ connectTimeoutMs: NEVER_MS, statusTimeoutMs: STATUS_MS, printTimeoutMs: NEVER_MS });
const ticket = renderTicket('kitchen', givenTicketOrder(), FIRST_PRINT);
const running = new AbortController().signal;
const print = (target: string, signal = running) => printer.print(ticketFor(target, { bytes: ticket }), signal);

const fakes: FakePrinter[] = [];
after(async () => {
  for (const fake of fakes) await fake.close();
});
async function givenPrinter(options?: Parameters<typeof startTcpPrinter>[0]): Promise<FakePrinter> {
  const fake = await startTcpPrinter(options);
  fakes.push(fake);
  return fake;
}

async function failure(printing: Promise<void>): Promise<PrinterError> {
  const error = await printing.then(
    () => assert.fail('It printed.'),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof PrinterError && error instanceof OutsideError, String(error));
  assert.equal(error.retryable, true);
  return error;
}

test('a printer keeps the contract of its port', async (t) => {
  const fake = await givenPrinter();
  const failNext = () => fake.trouble('paper_out');
  await keepsPrinterContract(t, { printer, target: fake.target, taken: () => fake.printed.length, failNext });
});

test('a printer takes the ticket, byte for byte, and it can be read', async () => {
  const fake = await givenPrinter();
  await print(fake.target);
  assert.deepEqual(fake.printed, [ticket]);
  assert.ok(decodeEscpos(fake.printed[0] ?? assert.fail()).rows.some(({ text }) => text.includes('A17')));
  await print(fake.target);
  assert.deepEqual([fake.printed.length, fake.connections()], [2, 2]);
});

test('a printer that never tells its state has the ticket when it has closed the connection after it', async (t) => {
  const fake = await givenPrinter({ answers: false });
  const timeOuts = holdTimeOuts(t);
  const printing = print(fake.target);
  await until('its state is read', () => fake.statesRead() === 3);
  timeOuts.pass(STATUS_MS);
  await printing;
  assert.deepEqual(fake.printed, [ticket]);
});

test('a printer that reports its state but not a ticket’s end has printed it when it later reports no trouble', async (t) => {
  const fake = await givenPrinter({ answers: 'state' });
  const timeOuts = holdTimeOuts(t);
  const printing = print(fake.target);
  await until('the ticket is printed', () => fake.printed.length === 1);
  timeOuts.pass(NEVER_MS);
  await printing;
  assert.deepEqual([fake.printed, fake.statesRead()], [[ticket], 6]);
});

test('a slow printer is waited for', async () => {
  const fake = await givenPrinter({ slowBytes: 64 });
  await print(fake.target);
  assert.deepEqual(fake.printed, [ticket]);
});

const REFUSALS: [PrinterTrouble, string][] = [
  ['paper_out', 'The printer is out of paper.'],
  ['cover_open', "The printer's cover is open."],
  ['offline', 'The printer is offline.'],
];
for (const [trouble, reason] of REFUSALS) {
  test(`${trouble}: no byte of the ticket is sent, the reason is plain, and the next try prints`, async () => {
    const fake = await givenPrinter();
    fake.trouble(trouble);
    const error = await failure(print(fake.target));
    assert.deepEqual([error.message, error.mayBePrinted], [reason, false]);
    assert.deepEqual([fake.printed, fake.torn], [[], []]);
    await print(fake.target);
    assert.equal(fake.printed.length, 1);
  });
}

test('paper that ends within a ticket is reported, and the ticket may be printed', async (t) => {
  const fake = await givenPrinter();
  fake.trouble('paper_out_midway');
  const timeOuts = holdTimeOuts(t);
  const printing = failure(print(fake.target));
  await until('a part of the ticket is printed', () => fake.torn.length === 1);
  timeOuts.pass(NEVER_MS);
  const error = await printing;
  assert.deepEqual([error.message, error.mayBePrinted], ['The printer is out of paper.', true]);
});

test('a connection that breaks within a ticket leaves it in doubt', async () => {
  const fake = await givenPrinter();
  fake.trouble({ dropAfter: 20 });
  const error = await failure(print(fake.target));
  assert.deepEqual([error.message, error.mayBePrinted], ['The connection to the printer broke: ECONNRESET.', true]);
});

test('reports that a printer sends by itself are no answer: the ticket is waited for', async () => {
  const fake = await givenPrinter({ slowBytes: 64 });
  fake.trouble('report');
  await print(fake.target);
  assert.deepEqual(fake.printed, [ticket]);
});

test('a peer that floods the connection is no printer', async () => {
  const fake = await givenPrinter();
  fake.trouble('flood');
  const error = await failure(print(fake.target));
  assert.equal(error.mayBePrinted, false);
  assert.match(error.message, /more bytes than a printer sends/);
});

test('a printer that is off cannot be reached, and prints when it is on again', async () => {
  const fake = await givenPrinter();
  await fake.switchOff();
  const error = await failure(print(fake.target));
  assert.deepEqual([error.message, error.mayBePrinted], ['The printer cannot be reached: ECONNREFUSED.', false]);
  await fake.switchOn();
  await print(fake.target);
  assert.equal(fake.printed.length, 1);
});

test('a printer that accepts the connection and nothing else times out', async (t) => {
  const fake = await givenPrinter();
  fake.trouble('hang');
  const timeOuts = holdTimeOuts(t);
  const printing = failure(print(fake.target));
  await timeOuts.passUntilEnd(printing);
  const error = await printing;
  assert.deepEqual([error.message, error.mayBePrinted], ['The printer did not take the whole ticket.', true]);
});

test('an address that does not answer at all times out, and nothing was printed', async (t) => {
  const target = '192.0.2.1:9100';
  const timeOuts = holdTimeOuts(t);
  const printing = failure(print(target));
  timeOuts.pass(NEVER_MS);
  const error = await printing;
  assert.equal(error.mayBePrinted, false);
});

test('a process that stops ends the try', async () => {
  const fake = await givenPrinter();
  fake.trouble('hang');
  const stopping = new AbortController();
  const printing = failure(print(fake.target, stopping.signal));
  await until('the printer is connected', () => fake.connections() === 1);
  stopping.abort();
  assert.equal((await printing).mayBePrinted, false);
});
