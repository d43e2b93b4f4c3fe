import type { Fault } from './errors.ts';

const MAX_DEPTH = 64;
/** A member's name is the client's own text: no more of it than this is repeated. */
const SHOWN_NAME_LENGTH = 80;

/** Why a text cannot be kept, if so. */
export function unsafeText(text: string): string | undefined {
  if (text.includes('\u0000')) return 'must not contain NUL characters';
  if (!text.isWellFormed()) return 'must be well-formed Unicode';
  return undefined;
}

/** Leaves out null members, and reports what no database can keep and nesting that no reader needs. */
export function cleanJson(data: unknown, faults: Fault[], path = '', depth = 0): unknown {
  const message = faultOf(data, depth);
  if (message !== undefined) {
    faults.push({ in: 'body', name: shownName(path), message });
    return undefined;
  }
  if (typeof data !== 'object' || data === null) return data;
  if (Array.isArray(data)) return data.map((item, index) => cleanJson(item, faults, `${path}[${index}]`, depth + 1));
  const out: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(data)) {
    if (member === null || key === '__proto__') continue;
    if (unsafeText(key)) {
      faults.push({ in: 'body', name: shownName(path), message: 'must have well-formed member names' });
    } else out[key] = cleanJson(member, faults, path ? `${path}.${key}` : key, depth + 1);
  }
  return out;
}

function faultOf(data: unknown, depth: number): string | undefined {
  if (typeof data === 'string') return unsafeText(data);
  // 1e309 is valid JSON that no number holds.
  if (typeof data === 'number') return Number.isFinite(data) ? undefined : 'must be a finite number';
  const isDeep = typeof data === 'object' && data !== null && depth >= MAX_DEPTH;
  return isDeep ? `must not be nested deeper than ${MAX_DEPTH} levels` : undefined;
}

function shownName(path: string): string {
  return path.slice(0, SHOWN_NAME_LENGTH).toWellFormed() || 'body';
}
