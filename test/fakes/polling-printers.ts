import assert from 'node:assert/strict';
import { decodeEscpos } from './escpos-decoder.ts';

/*
 * Printers that poll, as their makers' documents describe them: Star CloudPRNT over HTTP, and Epson Server Direct
 * Print. Each works through one cycle at a time over a wire that may be cut at any request, before it arrives or before
 * its answer does.
 */

export type PrinterRequest = {
  method: 'GET' | 'POST' | 'DELETE';
  query?: Record<string, string>;
  headers?: Record<string, string>;
  payload?: string;
};
export type PrinterAnswer = { status: number; type: string; body: Buffer };
/** Undefined where the connection was cut. */
export type Wire = (request: PrinterRequest) => Promise<PrinterAnswer | undefined>;

/** A ticket on paper. */
export type OnPaper = { id: string; text: string };

export type PollingPrinter = {
  paper: OnPaper[];
  /** One poll, with all that follows from it. True if it got a ticket. */
  cycle(): Promise<boolean>;
};

/** After as many confirmations without a response a printer continues polling. */
const MAX_CONFIRMATIONS = 2;

/** `runsOut` decides whether the paper ends within a ticket; then someone refills it before the next poll but one. */
type Chances = { runsOut(): boolean };

export function createStarPrinter(wire: Wire, { runsOut }: Chances): PollingPrinter {
  const paper: OnPaper[] = [];
  const ids = { mac: '00:11:62:00:00:01', uid: 'bar-1' };
  let polledWithoutPaper = 0;
  const poll = async () => {
    const statusCode = polledWithoutPaper > 0 ? '410%20Out%20of%20paper' : '200%20OK';
    polledWithoutPaper -= polledWithoutPaper > 0 ? 1 : 0;
    const status = { status: '23 6 0 0 0 0 0 0 0', printerMAC: ids.mac, uniqueID: ids.uid, statusCode };
    const payload = JSON.stringify({ ...status, printingInProgress: false, clientAction: null });
    const answer = await wire({ method: 'POST', headers: { 'content-type': 'application/json' }, payload });
    if (!answer) return undefined;
    assert.equal(answer.status, 200, answer.body.toString());
    assert.match(answer.type, /^application\/json/);
    return JSON.parse(answer.body.toString()) as { jobReady: boolean; mediaTypes?: string[]; jobToken?: string };
  };
  return {
    paper,
    async cycle() {
      const offer = await poll();
      if (!offer?.jobReady) return false;
      const { mediaTypes = [], jobToken: token = '' } = offer;
      const type = 'application/vnd.star.starprnt';
      assert.ok(mediaTypes.includes(type) && token !== '');
      const job = await wire({ method: 'GET', query: { ...ids, type, token } });
      if (job?.status !== 200) return false;
      assert.equal(job.type, type);
      const text = job.body.toString('latin1');
      assert.ok(text.startsWith('\x1b@'), 'a job begins with ESC @');
      if (runsOut()) {
        polledWithoutPaper = 2;
        return false;
      }
      paper.push({ id: token, text });
      for (let tries = 0; tries < MAX_CONFIRMATIONS; tries += 1) {
        const query = { ...ids, code: '200 OK', token, ...(tries > 0 ? { retry: String(tries) } : {}) };
        const confirmed = await wire({ method: 'DELETE', query });
        if (!confirmed) continue;
        assert.equal(confirmed.status, 200);
        break;
      }
      return true;
    },
  };
}

const JOB = /<printjobid>([\w.-]{1,30})<\/printjobid>.*<epos-print xmlns="[^"]+"><command>([0-9a-f]+)<\/command>/s;

export function createEpsonPrinter(wire: Wire, { runsOut }: Chances): PollingPrinter {
  const paper: OnPaper[] = [];
  const post = (form: Record<string, string>) =>
    wire({
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ ID: 'bar-1', Name: '', ...form }).toString(),
    });
  const respond = async (id: string, attributes: string) => {
    const response = `<response xmlns="http://www.epson-pos.com/schemas/2011/03/epos-print" ${attributes} battery="0"/>`;
    const parameter = `<Parameter><devid>local_printer</devid><printjobid>${id}</printjobid></Parameter>`;
    const result = `<?xml version="1.0" encoding="utf-8"?><PrintResponseInfo Version="2.00"><ePOSPrint>${parameter}<PrintResponse>${response}</PrintResponse></ePOSPrint></PrintResponseInfo>`;
    for (let tries = 0; tries < MAX_CONFIRMATIONS; tries += 1) {
      const taken = await post({ ConnectionType: 'SetResponse', ResponseFile: result });
      if (!taken) continue;
      assert.equal(taken.status, 200);
      return;
    }
  };
  return {
    paper,
    async cycle() {
      const answer = await post({ ConnectionType: 'GetRequest' });
      if (!answer) return false;
      assert.equal(answer.status, 200, answer.body.toString());
      assert.match(answer.type, /^text\/xml/);
      if (answer.body.length === 0) return false;
      const [, id, digits] = JOB.exec(answer.body.toString()) ?? [];
      assert.ok(id !== undefined && digits !== undefined, answer.body.toString().slice(0, 500));
      const { rows, commands } = decodeEscpos(Buffer.from(digits, 'hex'));
      assert.ok(!commands.includes('GS r'), 'no command asks the printer for an answer of its own');
      if (runsOut()) {
        await respond(id, 'success="false" code="EPTR_REC_EMPTY" status="252185618"');
        return false;
      }
      paper.push({ id, text: rows.map(({ text }) => text).join('\n') });
      await respond(id, 'success="true" code="" status="251658262"');
      return true;
    },
  };
}
