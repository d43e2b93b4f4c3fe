import type { OperatorAction } from './api.ts';

/** What an operator did; `…` stands for whom or what it was done to. */
const SENTENCES: Readonly<Record<OperatorAction['action'], string>> = {
  'order.confirm': 'Confirmed order …',
  'order.ready': 'Marked order … ready',
  'order.pick_up': 'Marked order … picked up',
  'order.complete': 'Completed order …',
  'order.cancel': 'Canceled order …',
  'order.advance': 'Moved order … to its next step',
  'order.refund': 'Refunded order …',
  'order.adjust': 'Adjusted an item of order …',
  'order.tip': 'Raised the tip of order …',
  'order.tip_paid': 'Marked the owed tip of order … paid',
  'order.resend': 'Sent a message of order … again',
  'order.acknowledge': 'Took charge of order …',
  'order.export': 'Exported … orders with their customers',
  'webhook_call.replay': 'Sent webhook call … again',
  'account.create': 'Created account …',
  'account.rename': 'Renamed account …',
  'account.rotate_secret': 'Rolled the webhook secret of …',
  'account.set_brand': 'Set the brand of …',
  'account.set_limits': 'Set the limits of …',
  'account.verify_host': 'Checked the tracking host of …',
  'key.create': 'Created a key for …',
  'key.revoke': 'Revoked a key of …',
  'store_key.create': 'Created a store key for …',
  'store.create': 'Added …',
  'store.set_profile': 'Edited …',
  'store.set_channels': 'Set the order channels of …',
  'store.set_switches': 'Set the ordering switches of …',
  'store.set_terms': 'Set the payout terms of …',
  'store.set_agreement': 'Recorded the agreement of …',
  'store.delist': 'Took … out of search and sale',
  'store.relist': 'Put … back into search and sale',
  'store.set_product': 'Set a product of …',
  'store.rotate_secret': 'Rolled the webhook secret of …',
  'store.invite': 'Invited …',
  'statements.close': 'Closed the statements of …',
  'tokens.rotate': 'Rolled the secret of tokens of the …',
  'tokens.retire': 'Retired the old secret of tokens of the …',
  'signing_key.rotate': 'Rolled the key that signs answers to agents',
  'ucp_platform.bind': 'Bound an agent platform to an account',
  'session.revoke': 'Ended session …',
  'operator.invite': 'Invited operator …',
  'operator.key': 'Created a key for operator …',
  'operator.set': 'Changed operator …',
  'merge.undo': 'Undid merge …',
  'alert.acknowledge': 'Acknowledged alert …',
  'duty.switch': 'Switched the duty of …',
  'duty.set_webhook': 'Set the alert webhook of …',
  'user.forget': 'Forgot a user of account …',
};

type Done = Pick<OperatorAction, 'action' | 'target' | 'target_name'>;

/** `Invited Corner Noodle House`. */
export function actionInWords({ action, target, target_name: name }: Done): string {
  return SENTENCES[action].replace('…', () => name ?? target);
}
