import { present } from 'doorstep/collections';
import { type TObject, Type } from 'typebox';
import { keepAnswer } from '../../access/idempotency/idempotency.hook.ts';
import { describeOn, type None, type Operation, type Save } from '../../access/operations/operation.ts';
import { REASON } from './field-schemas.ts';
import type { Definition, Procedure } from './procedure.ts';

/* The operator's side of an operation: its endpoint, its command and its entry of the history. */

type Merged<One extends TObject, Other extends TObject> = TObject<One['properties'] & Other['properties']>;

export type ProcedureOf<One> =
  One extends Operation<
    infer Deps,
    `${infer Method} ${infer Path}`,
    infer Params extends TObject,
    infer Query extends TObject,
    infer Body extends TObject,
    infer More extends TObject,
    infer Answer
  >
    ? Definition<
        `${Method} /operator${Path}`,
        Params,
        Method extends 'GET' ? Merged<More, Query> : None,
        Method extends 'GET' ? None : Merged<Merged<Body, More>, typeof REASONED>,
        Answer,
        Deps
      >
    : never;

const REASONED = Type.Object({ reason: REASON });

/** An operator sends a reason with a change, which is recorded with the sent fields. */
export function procedureOf(one: Operation): (Procedure<never> & { name: string })[] {
  const { params, query, body, operatorFields: more, keys, strict, on } = one;
  if (!on.operator) return [];
  const { role, records: [action, target = ''] = [], command, table, many } = on.operator;
  const { method, url, operationId: name, description, ...described } = describeOn(one, 'operator');
  const isRead = method === 'GET';
  // `Type.Object` keeps options such as `additionalProperties`.
  const { type: _, required: _required, properties = {}, ...options } = { ...body };
  const fields = { ...properties, ...more?.properties, ...REASONED.properties };
  const procedure: Procedure<never> & { name: string } = {
    ...described,
    name,
    ...present({ params, keys, strict, command, table, many }),
    endpoint: `${method} ${url}`,
    role,
    description: isRead ? description : `${description} The change is recorded.`,
    ...(!isRead && { body: Type.Object(fields, options) }),
    ...(isRead && query && { query: Type.Object({ ...more?.properties, ...query.properties }) }),
    run(deps, { record, claim, params, query, body }) {
      const { reason: _, ...sent }: { reason?: string } = isRead ? query : body;
      const split = (isMore: boolean) =>
        Object.fromEntries(Object.entries(sent).filter(([field]) => field in (more?.properties ?? {}) === isMore));
      const save: Save = (change) =>
        record(
          async (tx, at) => keepAnswer(tx, claim, await change(tx, at)),
          (answer) => action !== undefined && { action, target: `${{ ...answer, ...params }[target]}`, details: body },
        );
      return one.run(deps, { by: { surface: 'operator' }, params, query, body: split(false), more: split(true), save });
    },
  };
  return [procedure];
}
