/** Answers of the routes of operators, as `/openapi.json` describes them. */
export type WaitingOffer = {
  channel: string;
  state: 'waiting' | 'sent' | 'acknowledged' | 'withdrawn';
  attempts: number;
  sent_at: number | null;
  last_error: string | null;
  failing_since: number | null;
};
export type WaitingOrder = {
  order_id: string;
  order_number: string;
  account_id: string;
  account_name: string;
  store_id: string;
  store_name: string;
  store_phone: number | null;
  store_time_zone: string;
  pickup: boolean;
  item_count: number;
  total_with_tip: number;
  offered_at: number;
  received_at: number | null;
  confirm_by: number | null;
  scheduled_for: number | null;
  rings_at: number | null;
  offers: WaitingOffer[];
};
export type Waiting = { now: number; orders: WaitingOrder[]; more: boolean };
