import { isJsonObject } from '../lib/json-object.ts';
import type { Fault } from './refusal.ts';

const MAX_DEPTH = 64;
/** Maximum values per body. The largest real orders contain a few thousand; a body of 1 MiB could have 500,000. */
const MAX_VALUES = 50_000;
/** Maximum errors per error. */
const MAX_FAULTS = 50;
/** Maximum characters of a member's name in an error; the name is client text. */
const MAX_QUOTED_NAME_LENGTH = 80;

const TOO_DEEP = `must not be nested deeper than ${MAX_DEPTH} levels`;
const TOO_MANY = `must not hold more than ${MAX_VALUES} values`;

/** Returns why PostgreSQL cannot store a text; undefined if it can. */
export function unsafeText(text: string): string | undefined {
  if (text.includes('\u0000')) return 'must not contain NUL characters';
  if (!text.isWellFormed()) return 'must be well-formed Unicode';
  return undefined;
}

/** A cleaned body. `isWhole` is false if it had too many values or errors, which leaves the rest unchecked. */
export type CleanJson = { value: unknown; faults: Fault[]; isWhole: boolean };

type Walk = { faults: Fault[]; valuesLeft: number; nullable: ReadonlySet<string>; kept: ReadonlySet<string> };

const NONE: ReadonlySet<string> = new Set();

/**
 * Removes null members, except fields of the body itself that are `nullable`, and any of a name that is `kept`; reports
 * texts PostgreSQL cannot store, numbers beyond a double, and excessive nesting. Changes `data` in place: a copy of
 * thousands of members takes longer than parsing them.
 */
export function cleanJson(data: unknown, nullable: ReadonlySet<string> = NONE, kept = NONE): CleanJson {
  const walk: Walk = { faults: [], valuesLeft: MAX_VALUES, nullable, kept };
  const value = clean(walk, data, '', 0);
  const isTooMuch = walk.valuesLeft < 0;
  if (isTooMuch) report(walk, '', TOO_MANY);
  return { value, faults: walk.faults, isWhole: !isTooMuch && walk.faults.length < MAX_FAULTS };
}

/** Returns why parsed JSON is too deep or too large to check; undefined within the limits. */
export function shapeFault(data: unknown): string | undefined {
  let valuesLeft = MAX_VALUES;
  const isDeep = (value: unknown, depth: number): boolean => {
    valuesLeft -= 1;
    if (typeof value !== 'object' || value === null) return false;
    if (depth >= MAX_DEPTH) return true;
    return valuesLeft >= 0 && Object.values(value).some((member) => isDeep(member, depth + 1));
  };
  if (isDeep(data, 0)) return TOO_DEEP;
  return valuesLeft < 0 ? TOO_MANY : undefined;
}

function clean(walk: Walk, value: unknown, path: string, depth: number): unknown {
  walk.valuesLeft -= 1;
  if (walk.valuesLeft < 0 || walk.faults.length >= MAX_FAULTS) return undefined;
  const message = jsonFault(value, depth);
  if (message !== undefined) return report(walk, path, message);
  if (Array.isArray(value)) return cleanItems(walk, value, path, depth);
  return isJsonObject(value) ? cleanMembers(walk, value, path, depth) : value;
}

function cleanItems(walk: Walk, items: unknown[], path: string, depth: number): unknown[] {
  if (items.length > walk.valuesLeft) walk.valuesLeft = -1;
  if (walk.valuesLeft < 0) return [];
  for (const [index, item] of items.entries()) items[index] = clean(walk, item, `${path}[${index}]`, depth + 1);
  return items;
}

function cleanMembers(walk: Walk, members: Record<string, unknown>, path: string, depth: number): object {
  for (const key of Object.keys(members)) {
    if (walk.valuesLeft < 0) break;
    const member = members[key];
    const isAbsent = member === null && !walk.kept.has(key) && !(depth === 0 && walk.nullable.has(key));
    if (isAbsent || key === '__proto__') delete members[key];
    else if (unsafeText(key)) report(walk, path, 'must have well-formed member names');
    else members[key] = clean(walk, member, path ? `${path}.${key}` : key, depth + 1);
  }
  return members;
}

function report(walk: Walk, path: string, message: string): undefined {
  walk.faults.push({ in: 'body', name: shownName(path), message });
}

function jsonFault(data: unknown, depth: number): string | undefined {
  if (typeof data === 'string') return unsafeText(data);
  // JSON allows numbers beyond a double, such as 1e309.
  if (typeof data === 'number') return Number.isFinite(data) ? undefined : 'must be a finite number';
  const isDeep = typeof data === 'object' && data !== null && depth >= MAX_DEPTH;
  return isDeep ? TOO_DEEP : undefined;
}

const shownName = (path: string): string => path.slice(0, MAX_QUOTED_NAME_LENGTH).toWellFormed() || 'body';
