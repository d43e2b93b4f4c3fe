import { type TSchema, Type } from 'typebox';
import { READ_ONLY } from '../agents/tool.ts';
import { CHANGES, ENDS, type Operation } from './admit-platform.flow.ts';

type Tool = `${'create' | 'get' | 'update' | 'complete' | 'cancel'}_checkout`;

/** The operations of a checkout, which those of food and of shops have in common. */
export function checkoutOperations<Deps>(
  { paths, ...common }: Pick<Operation<Deps>, 'capability' | 'isBound' | 'paths' | 'output'>,
  body: TSchema,
  own: Readonly<Record<Tool, Pick<Operation<Deps>, 'description' | 'run'>>>,
): readonly Operation<Deps>[] {
  const at = (path: string, tool: Tool) => ({ ...common, paths: paths.map((base) => base + path), tool, ...own[tool] });
  const id = Type.String({ maxLength: 64, description: 'Of the checkout.' });
  const named = Type.Object({ id });
  const input = Type.Object({ checkout: body });
  const written = { method: 'POST', bodyName: 'checkout', idempotency: 'optional', hints: CHANGES } as const;
  const ends = { method: 'POST', idempotency: 'needed', hints: ENDS } as const;
  return [
    { ...at('', 'create_checkout'), ...written, title: 'Create a checkout', creates: true, input },
    { ...at('/:id', 'get_checkout'), method: 'GET', title: 'Read a checkout', hints: READ_ONLY, input: named },
    {
      ...at('/:id', 'update_checkout'),
      ...written,
      method: 'PUT',
      title: 'Update a checkout',
      input: Type.Object({ id, checkout: body }),
    },
    {
      ...at('/:id/complete', 'complete_checkout'),
      ...ends,
      title: 'Complete a checkout',
      bodyName: 'checkout',
      input: Type.Object({ id, checkout: Type.Object({}, { additionalProperties: true }) }),
    },
    { ...at('/:id/cancel', 'cancel_checkout'), ...ends, title: 'Cancel a checkout', input: named },
  ];
}
