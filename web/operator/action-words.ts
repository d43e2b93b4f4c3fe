import type { OperatorAction } from './api.ts';

/** What an operator did; `…` stands for whom or what it was done to. */
const SENTENCES: Readonly<Record<OperatorAction['action'], string>> = {
  'order.confirm': 'Confirmed order …',
  'order.ready': 'Marked order … ready',
  'order.pick_up': 'Marked order … picked up',
  'order.complete': 'Completed order …',
  'order.cancel': 'Canceled order …',
  'order.refund': 'Refunded order …',
  'order.adjust': 'Adjusted an item of order …',
  'order.tip': 'Raised the tip of order …',
  'order.resend': 'Sent a message of order … again',
  'order.acknowledge': 'Took charge of order …',
  'order.export': 'Exported … orders with their customers',
  'webhook_call.replay': 'Sent webhook call … again',
  'account.create': 'Created account …',
  'account.set_limits': 'Set the limits of …',
  'key.create': 'Created a key for …',
  'key.revoke': 'Revoked a key of …',
  'store_key.create': 'Created a store key for …',
  'store.create': 'Added …',
  'store.set_profile': 'Edited …',
  'store.set_channels': 'Set the order channels of …',
  'store.set_switches': 'Set the ordering switches of …',
  'store.set_terms': 'Set the payout terms of …',
  'store.invite': 'Invited …',
  'statements.close': 'Closed the statements of …',
  'session.revoke': 'Ended session …',
  'operator.invite': 'Invited operator …',
  'operator.set': 'Changed operator …',
  'merge.undo': 'Undid merge …',
  'alert.acknowledge': 'Acknowledged alert …',
  'duty.switch': 'Switched the duty of …',
  'duty.set_webhook': 'Set the alert webhook of …',
};

type Done = Pick<OperatorAction, 'action' | 'target' | 'target_name'>;

/** `Invited Corner Noodle House`. */
export function actionInWords({ action, target, target_name: name }: Done): string {
  return SENTENCES[action].replace('…', () => name ?? target);
}
