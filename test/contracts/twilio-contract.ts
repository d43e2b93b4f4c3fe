import { existsSync, readFileSync } from 'node:fs';

type Schema = {
  $ref?: string;
  type?: string;
  nullable?: boolean;
  enum?: unknown[];
  pattern?: string;
  format?: string;
  required?: string[];
  properties?: Record<string, Schema>;
};
type Operation = {
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content: Record<string, { schema: Schema }> }>;
};
type Document = {
  paths: Record<string, { parameters?: Parameter[]; post?: Operation & { parameters?: Parameter[] } }>;
  components: { schemas: Record<string, Schema> };
};
type Parameter = { name: string; in: string; schema: Schema };

export type TwilioContract = {
  checkRequest(path: string, form: Readonly<Record<string, string>>): string[];
  checkAnswer(path: string, body: Readonly<Record<string, unknown>>): string[];
};

/** Validates POST requests and answers against Twilio's published OpenAPI document; undefined if the file is absent. */
export function readTwilioContract(file: string): TwilioContract | undefined {
  if (!existsSync(file)) return undefined;
  const document = JSON.parse(readFileSync(file, 'utf8')) as Document;
  const resolve = (schema: Schema): Schema => {
    const name = schema.$ref?.split('/').at(-1);
    return name === undefined ? schema : { ...document.components.schemas[name], nullable: schema.nullable ?? false };
  };
  return {
    checkRequest(path, form) {
      const [template, operation] = operationOf(document, path);
      if (!operation) return [`Twilio has no POST ${path}`];
      const schema = operation.requestBody?.content['application/x-www-form-urlencoded']?.schema ?? {};
      const missing = (schema.required ?? []).filter((name) => !(name in form)).map((name) => `no ${name}`);
      return [
        ...pathFaults(template, path, operation.parameters ?? []),
        ...missing,
        ...memberFaults(resolve, schema, form),
      ];
    },
    checkAnswer(path, body) {
      const schema = operationOf(document, path)[1]?.responses['201']?.content['application/json']?.schema;
      return schema ? memberFaults(resolve, resolve(schema), body) : [`Twilio has no POST ${path}`];
    },
  };
}

function operationOf(document: Document, path: string) {
  const template = Object.keys(document.paths).find((one) =>
    new RegExp(`^${one.replace(/[.]/g, '\\.').replace(/\{[^}]+\}/g, '[^/]+')}$`).test(path),
  );
  return [template ?? '', document.paths[template ?? '']?.post] as const;
}

function pathFaults(template: string, path: string, parameters: readonly Parameter[]): string[] {
  const values = path.split('/');
  return template.split('/').flatMap((part, at) => {
    const parameter = parameters.find(({ name }) => part === `{${name}}`);
    return parameter ? valueFaults(parameter.name, parameter.schema, values[at]) : [];
  });
}

function memberFaults(
  resolve: (schema: Schema) => Schema,
  schema: Schema,
  members: Readonly<Record<string, unknown>>,
): string[] {
  return Object.entries(members).flatMap(([name, value]) => {
    const known = schema.properties?.[name];
    return known ? valueFaults(name, resolve(known), value) : [`${name} is not known`];
  });
}

function valueFaults(name: string, schema: Schema, value: unknown): string[] {
  if (value === null) return schema.nullable ? [] : [`${name} is null`];
  if (schema.type === 'string' && typeof value !== 'string') return [`${name} is no string`];
  if (schema.type === 'integer' && !Number.isInteger(value)) return [`${name} is no integer`];
  if (schema.enum && !schema.enum.includes(value)) return [`${name} is not one of ${schema.enum.join(', ')}`];
  if (schema.pattern && !new RegExp(schema.pattern).test(String(value))) return [`${name} is not ${schema.pattern}`];
  // Twilio defines this format as E.164, a sender name, or an address of another channel.
  const isSender = /^(\+[1-9]\d{6,14}|[A-Za-z][A-Za-z0-9 ]{0,10}|[a-z]+:.+)$/.test(String(value));
  return schema.format === 'phone-number' && !isSender ? [`${name} is no phone number`] : [];
}
