import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A measured figure beside its limit. */
export type Figure = {
  what: string;
  value: number;
  unit: string;
  limit: { min: number } | { max: number } | null;
  /** Context for readers, measured alongside the figure. */
  details: string;
};

/** One bench's figures: printed as they are measured, and written to a JSON file at the end. */
export type Report = {
  add(figure: Figure): void;
  /** Writes the file; returns whether every figure is within its limit. */
  finish(facts: object): boolean;
};

/** Folder of results, one JSON file per bench. */
const RESULTS = join(import.meta.dirname, 'results');

export function createReport(name: string): Report {
  const figures: (Figure & { isKept: boolean })[] = [];
  return {
    add(figure) {
      const isKept = keepsLimit(figure);
      figures.push({ ...figure, isKept });
      const { what, unit, limit, details } = figure;
      const bound = limit === null ? '' : 'min' in limit ? `≥ ${shown(limit.min)}` : `≤ ${shown(limit.max)}`;
      const value = `${shown(figure.value)} ${unit}`.trim();
      const columns = [what.padEnd(44), value.padStart(14), bound.padStart(10), isKept ? '   ' : ' ! ', details];
      process.stdout.write(`${columns.join(' ').trimEnd()}\n`);
    },
    finish(facts) {
      mkdirSync(RESULTS, { recursive: true });
      const file = join(RESULTS, `${name}.json`);
      writeFileSync(file, `${JSON.stringify({ name, at: new Date().toISOString(), ...facts, figures }, null, 2)}\n`);
      process.stdout.write(`Figures: ${file}\n`);
      return figures.every(({ isKept }) => isKept);
    },
  };
}

function keepsLimit({ value, limit }: Figure): boolean {
  if (limit === null) return true;
  return 'min' in limit ? value >= limit.min : value <= limit.max;
}

function shown(value: number): string {
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en-US');
  return value.toFixed(Math.abs(value) >= 10 ? 1 : Math.abs(value) >= 1 ? 2 : 3);
}

export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
