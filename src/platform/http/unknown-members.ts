import { memoizedByObject } from 'doorstep/collections';
import type { FastifyContextConfig, FastifyReply, FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import { isJsonObject } from '../lib/json-object.ts';
import { closeName } from './close-name.ts';
import type { Http } from './http.ts';
import { type Fault, Refusal } from './refusal.ts';
import { invalidRequest, unknownField } from './request-schema.ts';

/** Maximum unknown members that are named per request. */
const MAX_NAMED = 10;
const MAX_NAME_LENGTH = 60;
/** May be part of a card number, which no response repeats. None of our names has so many digits. */
const LONG_NUMBER = /\d{3,}/g;

/** The parts of a JSON schema that name members. */
type Schema = {
  properties?: Readonly<Record<string, Schema>>;
  items?: Schema;
  anyOf?: readonly Schema[];
  patternProperties?: unknown;
  additionalProperties?: unknown;
};

/**
 * `meant` searches for the likely spelling. It is called only for unknown fields in a warning. `drop` removes
 * the member.
 */
type Unknown = { place: Fault['in']; name: string; meant: () => string | undefined; drop: () => void };

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether unknown parameters and members are always refused, because one may be a misspelled condition about money. */
    strict?: true;
  }
}

/** A `Doorstep-Strict` that is neither true nor false. */
const NOT_STRICT: Unknown = { place: 'header', name: 'Doorstep-Strict', meant: () => 'true', drop: () => {} };
const NO_PARAMETERS: Schema = { properties: {} };

/**
 * Names unknown parameters and members, which may be misspelled, in the `Doorstep-Warning` header, and drops them; with
 * `Doorstep-Strict: true` refuses them together with the request's other errors. `isKeyed` selects the endpoints whose
 * bodies count, and whose parameters do although they have none.
 */
export function nameUnknownMembers(http: Http, isKeyed: (config: FastifyContextConfig) => boolean): void {
  http.addHook('onRoute', (route) => {
    const { querystring, body } = (route.schema ?? {}) as { querystring?: Schema; body?: Schema };
    const keyed = isKeyed(route.config ?? {});
    const parts = (
      [
        { place: 'query', part: 'querystring', schema: querystring ?? (keyed ? NO_PARAMETERS : undefined) },
        { place: 'body', part: 'body', schema: keyed ? body : undefined },
      ] as const
    ).filter(({ schema }) => schema !== undefined);
    if (parts.length === 0) return;
    const dropped = new WeakMap<FastifyRequest, Unknown[]>();
    route.preValidation = [
      (request, reply, done) => {
        const isStrict = route.config?.strict ?? (request.headers['doorstep-strict'] || false);
        const strict = String(isStrict).toLowerCase();
        const unknown = parts.flatMap(({ place, schema }) => unknownIn(request[place], schema, place));
        if (strict !== 'true' && strict !== 'false') unknown.unshift(NOT_STRICT);
        if (unknown.length === 0) return done();
        if (strict === 'true') {
          const read = parts.filter(({ schema }) => schema !== NO_PARAMETERS);
          const others = read.flatMap(({ place, part }) => faultsOf(request.validateInput(request[place], part)));
          return done(invalidRequest([...unknown.map(unknownFault), ...others]));
        }
        reply.header('doorstep-warning', warningOf(unknown));
        dropped.set(request, unknown);
        done();
      },
      ...[route.preValidation ?? []].flat(),
    ];
    // After the digest of the request's Idempotency-Key, which has the body as it was sent.
    route.preHandler = [
      (request, _reply, done) => {
        for (const { drop } of dropped.get(request) ?? []) drop();
        done();
      },
      ...[route.preHandler ?? []].flat(),
    ];
  });
}

/** Names doubtful values of known fields in `Doorstep-Warning`; refuses them with `Doorstep-Strict`. */
export function warnOrRefuse(request: FastifyRequest, reply: FastifyReply, faults: readonly Fault[]): void {
  if (faults.length === 0) return;
  if (String(request.headers['doorstep-strict']).toLowerCase() === 'true') throw invalidRequest(faults);
  const sentences = faults.map(({ name, message }) => `${name} ${message}.`);
  const others = reply.getHeader('doorstep-warning') ?? [];
  reply.header('doorstep-warning', [others, sentences].flat().join(' '));
}

/** The errors of members that a schema does not name. */
export const unknownFaults = (value: unknown, schema: TSchema): Fault[] =>
  unknownIn(value, schema, 'body').map(unknownFault);

const unknownFault = ({ place, name, meant }: Unknown, nth: number) =>
  unknownField(place, name, nth < MAX_NAMED ? meant() : undefined);

/** Returns the errors that a route's parser found, which the framework's types do not describe. */
const faultsOf = (parsed: unknown) =>
  isJsonObject(parsed) && parsed.error instanceof Refusal ? (parsed.error.extras.errors ?? []) : [];

function warningOf(unknown: readonly Unknown[]): string {
  const sentences = unknown.slice(0, MAX_NAMED).map(({ name, meant: findMeant }) => {
    const meant = findMeant();
    const shown = /^[\w.[\]*-]+$/.test(name) ? name : encodeURIComponent(name.toWellFormed());
    const ignored = `${shown.slice(0, MAX_NAME_LENGTH)} is ignored`;
    return meant === undefined ? `${ignored}.` : `${ignored}; did you mean ${meant}?`;
  });
  const more = unknown.length - sentences.length;
  return [...sentences, ...(more > 0 ? [`${more} more are ignored.`] : [])].join(' ');
}

/** Members that a schema or any of its alternatives names; `members` is undefined if it accepts any name. */
type Known = { members: ReadonlyMap<string, Schema> | undefined; items: Schema | undefined };

const knownBy = memoizedByObject((schema: Schema): Known => {
  const branches = [schema, ...(schema.anyOf ?? [])];
  const closed = branches.filter(({ properties }) => properties);
  const isOpen = branches.some((branch) => branch.patternProperties ?? branch.additionalProperties);
  const members = new Map(closed.flatMap(({ properties = {} }) => Object.entries(properties)));
  const items = branches.find((branch) => branch.items)?.items;
  return { members: closed.length === 0 || isOpen ? undefined : members, items };
});

/** Finds members of a value that its schema does not name, with their paths. Skips objects that may have any names. */
function unknownIn(value: unknown, schema: Schema | undefined, place: Fault['in'], path = ''): Unknown[] {
  if (schema === undefined || typeof value !== 'object' || value === null) return [];
  const { members, items } = knownBy(schema);
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => unknownIn(item, items, place, `${path}[${index}]`));
  }
  if (members === undefined) return [];
  const given = Object.keys(value);
  return given.flatMap((name) => {
    const member = members.get(name);
    const inner = (value as Record<string, unknown>)[name];
    if (member && typeof inner !== 'object') return [];
    const shown = name.replaceAll(LONG_NUMBER, '***');
    const at = path === '' ? shown : `${path}.${shown}`;
    if (member) return unknownIn(inner, member, place, at);
    return [
      { place, name: at, meant: () => meantBy(name, members, given), drop: () => Reflect.deleteProperty(value, name) },
    ];
  });
}

/** Returns the known name that an unknown one resembles; undefined if the request has that one too. */
function meantBy(name: string, known: ReadonlyMap<string, Schema>, given: readonly string[]): string | undefined {
  const meant = closeName(name, known.keys()) ?? [...known.keys()].find((longer) => longer.endsWith(`_${name}`));
  return meant !== undefined && given.includes(meant) ? undefined : meant;
}
