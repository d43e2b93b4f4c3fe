import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';

export type Figure = {
  what: string;
  value: number;
  /** Of rates, `a second`, and shares, `%`, more is better; of all other units less is. */
  unit: string;
  /** The same work by something that readers know, measured in the same run; only such figures are in the document. */
  peer?: { name: string; value: number };
  /** A limit of our own: the bench fails beyond it. */
  limit?: { min: number } | { max: number };
  /** Context, printed only. */
  details?: string;
};

/** One bench's figures: printed as they are measured, and written into docs/benchmarks.md at the end. */
export type Report = {
  add(figure: Figure): void;
  /**
   * Fails the process if a limit was missed, and writes the bench's table, of figures with a peer unless another is
   * given; without a size the table is not whole.
   */
  finish(size?: string, table?: string): void;
};

const DOCUMENT = join(import.meta.dirname, '../docs/benchmarks.md');
const PARTIAL = /^--(quick|only)\b/;
const GIB = 2 ** 30;

export function createReport(name: string): Report {
  const load = loadavg()[0] as number;
  const rows: string[] = [];
  let missed = 0;
  return {
    add(figure) {
      const { what, value, unit, peer, limit, details = '' } = figure;
      const isMissed = limit !== undefined && ('min' in limit ? value < limit.min : value > limit.max);
      if (isMissed) missed += 1;
      const bound = limit === undefined ? '' : 'min' in limit ? `≥ ${shown(limit.min)}` : `≤ ${shown(limit.max)}`;
      const beside = peer && `${peer.name} ${shown(peer.value)}`;
      const columns = [
        what.padEnd(50),
        `${shown(value)} ${unit}`.padStart(18),
        bound.padStart(8),
        isMissed ? '!' : ' ',
      ];
      print(
        [...columns, beside, details]
          .filter((column) => column !== undefined)
          .join(' ')
          .trimEnd(),
      );
      if (!peer) return;
      const speed = /^(a second|%)/.test(unit) ? value / peer.value : peer.value / value;
      rows.push(`| ${[what, `${shown(value)} ${unit}`, beside, shown(speed)].join(' | ')} |`);
    },
    finish(size, own) {
      if (missed > 0) process.exitCode = 1;
      if (size === undefined || process.argv.some((arg) => PARTIAL.test(arg))) return;
      const date = new Date().toLocaleDateString('en-US', { dateStyle: 'medium' });
      const machine = `${cpus().length} cores of ${cpus()[0]?.model}, ${Math.round(totalmem() / GIB)} GB, Node ${process.versions.node}`;
      const command = ['npm run bench --', name, ...process.argv.slice(2)].join(' ');
      const about = `${date}, ${size}; ${machine}; load ${load.toFixed(1)} before it: \`${command}\``;
      const table = own ?? ['| | Doorstep | compared with | times as fast |', '|---|---|---|---|', ...rows].join('\n');
      const document = readFileSync(DOCUMENT, 'utf8');
      writeFileSync(DOCUMENT, withSection(document, name, `${about}\n\n${table}`));
    },
  };
}

/** Replaces the text between the bench's marks. */
function withSection(document: string, name: string, text: string): string {
  const [begin, end] = [`<!-- ${name} -->\n`, `\n<!-- end of ${name} -->`];
  const [from, to] = [document.indexOf(begin), document.indexOf(end)];
  if (from === -1 || to === -1) throw new Error(`docs/benchmarks.md has no place for the figures of ${name}.`);
  return document.slice(0, from + begin.length) + text + document.slice(to);
}

function shown(value: number): string {
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en-US');
  return Number.isInteger(value) ? String(value) : value.toPrecision(3);
}

export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
