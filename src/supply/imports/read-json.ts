import type { TextLine } from '../../platform/lib/read-lines.ts';
import type { LineFault } from '../stores/feed-fields.ts';

export type JsonLine =
  | { ok: true; value: unknown }
  | { ok: false; faults: readonly LineFault[]; warnings: readonly LineFault[] };

export function readJson(line: TextLine): JsonLine {
  if (line.text === null) return unreadable(line.fault);
  try {
    return { ok: true, value: JSON.parse(line.text) };
  } catch {
    return unreadable('expected JSON');
  }
}

const unreadable = (message: string): JsonLine => ({ ok: false, faults: [{ path: '', message }], warnings: [] });
