export const JSON_TYPE = 'application/json';

/** The parts of a JSON schema that the reference shows. */
export type Schema = {
  $ref?: string;
  type?: string | readonly string[];
  format?: string;
  description?: string;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  items?: Schema;
  enum?: readonly unknown[];
  const?: unknown;
  default?: unknown;
  examples?: readonly unknown[];
  allOf?: readonly Schema[];
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  additionalProperties?: boolean | Schema;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  pattern?: string;
};

type Examples = Readonly<Record<string, { value?: unknown }>>;
export type Content = Readonly<Record<string, { schema?: Schema; example?: unknown; examples?: Examples }>>;
export type DescribedAnswer = { description?: string; content?: Content; headers?: Readonly<Record<string, Schema>> };
export type Parameter = {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema?: Schema;
  example?: unknown;
};
export type Operation = {
  operationId?: string;
  summary?: string;
  description?: string;
  tags?: readonly string[];
  security?: readonly Readonly<Record<string, unknown>>[];
  parameters?: readonly Parameter[];
  requestBody?: { required?: boolean; content?: Content };
  responses?: Readonly<Record<string, DescribedAnswer>>;
};

/** The parts of the service's OpenAPI document that the reference shows. */
export type ApiDocument = {
  info: { title: string; version: string; summary?: string; description?: string };
  tags?: readonly { name: string; description?: string }[];
  components?: { schemas?: Readonly<Record<string, Schema>> };
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  webhooks?: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
};

type OperationsByPath = ApiDocument['paths'];

/** Returns a document's paths or webhooks, with a change applied to each operation. */
export function changeOperations(items: object, change: (operation: Operation) => Operation): OperationsByPath {
  const changed = Object.entries(items as OperationsByPath).map(([path, methods]) => [
    path,
    Object.fromEntries(Object.entries(methods).map(([method, operation]) => [method, change(operation)])),
  ]);
  return Object.fromEntries(changed);
}

/** An operation with upper-case method and path, or a webhook's event. */
export type Endpoint = { id: string; method: string; path: string; operation: Operation };

/** Returns all operations of the paths, in document order. */
export const endpointsOf = ({ paths }: Pick<ApiDocument, 'paths'>): Endpoint[] =>
  listOperations(paths, (words, method, { operationId }) => operationId ?? `${method}-${words}`);

/** Returns all webhooks, in document order. */
export const webhooksOf = ({ webhooks = {} }: Pick<ApiDocument, 'webhooks'>): Endpoint[] =>
  listOperations(webhooks, (words) => `webhook-${words}`);

type IdOf = (words: string, method: string, operation: Operation) => string;

function listOperations(items: OperationsByPath, idOf: IdOf): Endpoint[] {
  return Object.entries(items).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const id = idOf(path.replace(/\W+/g, '-'), method, operation);
      return { id, method: method.toUpperCase(), path, operation };
    }),
  );
}
