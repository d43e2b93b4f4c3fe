import type { TextLine } from '../../platform/lib/read-lines.ts';
import type { LineFault } from '../menus/feed-fields.ts';

/** A line's JSON value, or its fault. */
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

function unreadable(message: string): JsonLine {
  return { ok: false, faults: [{ path: '', message }], warnings: [] };
}
