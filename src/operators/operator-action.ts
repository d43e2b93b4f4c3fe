import { Type } from 'typebox';
import { named } from '../http/api-components.ts';
import { epochSeconds } from '../lib/time.ts';

/** What an operator can change. */
export const OPERATOR_ACTIONS = [
  ...(['order.confirm', 'order.ready', 'order.pick_up', 'order.complete', 'order.cancel'] as const),
  ...(['order.acknowledge', 'webhook_call.replay'] as const),
  ...(['account.create', 'account.set_limits', 'key.create', 'key.revoke', 'store_key.create'] as const),
  ...(['store.set_channels', 'store.set_switches', 'store.invite'] as const),
  ...(['session.revoke', 'merge.undo'] as const),
] as const;
export type OperatorAction = (typeof OPERATOR_ACTIONS)[number];

/** One change; `target` is the id of the changed thing, `details` holds no secret. */
export type RecordedAction = {
  actionNo: number;
  at: Temporal.Instant;
  sessionId: string;
  action: OperatorAction;
  target: string;
  details: Readonly<Record<string, unknown>>;
};

export const ActionSchema = Type.Object(
  {
    action_no: Type.Integer(),
    at: Type.Integer({ description: 'Epoch seconds.' }),
    session_id: Type.String({ description: "The operator's session." }),
    action: Type.Enum([...OPERATOR_ACTIONS]),
    target: Type.String({ description: 'The id of the changed thing.' }),
    details: Type.Record(Type.String(), Type.Unknown(), { description: 'What was changed, without secrets.' }),
  },
  named('OperatorAction', 'A change that an operator made.'),
);

export function presentAction({ actionNo, at, sessionId, action, target, details }: RecordedAction) {
  return { action_no: actionNo, at: epochSeconds(at), session_id: sessionId, action, target, details };
}
