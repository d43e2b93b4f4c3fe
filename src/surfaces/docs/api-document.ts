export const JSON_TYPE = 'application/json';

/** A JSON schema, as far as the reference shows one. */
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

/** The service's own OpenAPI document, as far as the reference shows the document. */
export type ApiDocument = {
  info: { title: string; version: string; summary?: string; description?: string };
  tags?: readonly { name: string; description?: string }[];
  components?: { schemas?: Readonly<Record<string, Schema>> };
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  webhooks?: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
};

type OperationsByPath = ApiDocument['paths'];

/** The paths, or the webhooks, of a document with each operation changed. */
export function changeOperations(items: object, change: (operation: Operation) => Operation): OperationsByPath {
  const changed = Object.entries(items as OperationsByPath).map(([path, methods]) => [
    path,
    Object.fromEntries(Object.entries(methods).map(([method, operation]) => [method, change(operation)])),
  ]);
  return Object.fromEntries(changed);
}

/** An operation with the method in capitals and the path, or the event of a webhook. */
export type Endpoint = { id: string; method: string; path: string; operation: Operation };

/** Every operation of the paths, in the sequence of the document. */
export function endpointsOf({ paths }: Pick<ApiDocument, 'paths'>): Endpoint[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      id: operation.operationId ?? `${method}-${path.replace(/\W+/g, '-')}`,
      method: method.toUpperCase(),
      path,
      operation,
    })),
  );
}

/** Every webhook, in the sequence of the document. */
export function webhooksOf({ webhooks = {} }: Pick<ApiDocument, 'webhooks'>): Endpoint[] {
  return Object.entries(webhooks).flatMap(([event, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      id: `webhook-${event.replace(/\W+/g, '-')}`,
      method: method.toUpperCase(),
      path: event,
      operation,
    })),
  );
}
