import { existsSync, readFileSync } from 'node:fs';

type Schema = {
  $ref?: string;
  type?: string;
  format?: string;
  enum?: unknown[];
  items?: Schema;
  properties?: Record<string, Schema>;
};
type Operation = {
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content: Record<string, { schema: Schema }> }>;
};
type Document = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

/**
 * Validates requests and answers against Google's published description of the Places API; each check returns the
 * differences.
 */
export type GoogleContract = {
  checkRequest(method: string, path: string, body: unknown, fieldMask: readonly string[]): string[];
  checkAnswer(method: string, path: string, body: unknown): string[];
};

const PLACE = 'GoogleMapsPlacesV1Place';
/**
 * The document describes all GETs with one entry that has a different answer, so a place is checked against its own
 * schema.
 */
const PLACE_PATH = /^\/v1\/places\/[^/:]+$/;

/** Undefined if the file is absent. */
export function readGoogleContract(file: string): GoogleContract | undefined {
  if (!existsSync(file)) return undefined;
  const document = JSON.parse(readFileSync(file, 'utf8')) as Document;
  const resolve = (schema: Schema | undefined): Schema => {
    const name = schema?.$ref?.split('/').at(-1);
    return (name === undefined ? schema : document.components.schemas[name]) ?? {};
  };
  const operationOf = (method: string, path: string): Operation | undefined =>
    document.paths[PLACE_PATH.test(path) ? '/v1/{name}' : path]?.[method.toLowerCase()];
  const answerSchemaOf = (operation: Operation, path: string): Schema =>
    PLACE_PATH.test(path)
      ? (document.components.schemas[PLACE] ?? {})
      : resolve(operation.responses['200']?.content['application/json']?.schema);
  return {
    checkRequest(method, path, body, fieldMask) {
      const operation = operationOf(method, path);
      if (!operation) return [`Google has no ${method} ${path}`];
      const schema = operation.requestBody?.content['application/json']?.schema;
      const bodyFaults = schema ? valueFaults(resolve, schema, body, 'body') : body === undefined ? [] : ['a body'];
      const answer = answerSchemaOf(operation, path);
      const unknown = fieldMask.filter((field) => !hasField(resolve, answer, field.split('.')));
      return [...bodyFaults, ...unknown.map((field) => `the field mask names ${field}`)];
    },
    checkAnswer(method, path, body) {
      const operation = operationOf(method, path);
      return operation ? valueFaults(resolve, answerSchemaOf(operation, path), body, 'answer') : [];
    },
  };
}

type Resolve = (schema: Schema | undefined) => Schema;

function hasField(resolve: Resolve, schema: Schema, [name, ...rest]: readonly string[]): boolean {
  const whole = resolve(schema);
  const object = whole.type === 'array' ? resolve(whole.items) : whole;
  const member = object.properties?.[name ?? ''];
  return member !== undefined && (rest.length === 0 || hasField(resolve, member, rest));
}

function valueFaults(resolve: Resolve, given: Schema, value: unknown, at: string): string[] {
  const schema = resolve(given);
  if (schema.properties) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return [`${at} is no object`];
    return Object.entries(value).flatMap(([name, member]) => {
      const known = schema.properties?.[name];
      return known ? valueFaults(resolve, known, member, `${at}.${name}`) : [`${at}.${name} is not known`];
    });
  }
  if (schema.type === 'array') {
    if (!Array.isArray(value)) return [`${at} is no list`];
    return value.flatMap((member, n) => valueFaults(resolve, schema.items ?? {}, member, `${at}[${n}]`));
  }
  if (schema.enum && !schema.enum.includes(value)) return [`${at} is not one of ${schema.enum.join(', ')}`];
  if (schema.type === 'integer') return Number.isInteger(value) ? [] : [`${at} is no whole number`];
  return schema.type === undefined || typeof value === schema.type ? [] : [`${at} is no ${schema.type}`];
}
