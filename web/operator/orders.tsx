import { ORDERS } from '../../src/surfaces/operator/tables.ts';
import { Field, Select } from '../field.tsx';
import { addressOf } from './api.ts';
import { useLoad } from './hooks.ts';
import { ModeField, OtherMode, useByMode } from './mode.tsx';
import { List } from './parts.tsx';
import { Only } from './role.tsx';
import { Pager, SearchForm } from './search-form.tsx';
import { wordsOf } from './words.ts';

const STATUSES = ['awaiting_confirmation', 'in_progress', 'completed', 'canceled'];
const PAGE_PARAMETERS = ['query', 'before'];

/** The filtered orders as CSV, without and with their customers. */
function ExportLinks({ query, mode }: { query: URLSearchParams; mode: string }) {
  const filters = [...new URLSearchParams([['mode', mode], ...query])].filter(
    ([name]) => !PAGE_PARAMETERS.includes(name),
  );
  const hrefOf = (more: readonly [string, string][]) =>
    addressOf(`/operator/orders.csv?${new URLSearchParams([...filters, ...more])}`);
  return (
    <span class="links">
      <a href={hrefOf([])} download="orders.csv">
        Export CSV
      </a>
      <Only to="support">
        <a href={hrefOf([['customers', 'true']])} download="orders.csv">
          Export with customers
        </a>
      </Only>
    </span>
  );
}

/** Orders of all accounts: matches of a search, or the newest ones of the filters. */
export function OrdersView({ query }: { query: URLSearchParams }) {
  const { data, error, mode, others } = useByMode(query, (input) => useLoad('GET /operator/orders', { query: input }));
  return (
    <>
      <h1>Orders</h1>
      <SearchForm tab="orders" query={query} label="Order number, phone or ID">
        <ModeField mode={mode} />
        <Select
          label="Status"
          name="status"
          value={query.get('status')}
          options={[['', 'any'], ...STATUSES.map((status) => [status, wordsOf(status)] as const)]}
        />
        <Field label="Day" type="date" name="day" defaultValue={query.get('day') ?? ''} />
        <Field label="to" type="date" name="last_day" defaultValue={query.get('last_day') ?? ''} />
        <Field label="Store ID" name="store_id" maxLength={64} defaultValue={query.get('store_id') ?? ''} />
        <Field label="Account ID" name="account_id" maxLength={64} defaultValue={query.get('account_id') ?? ''} />
      </SearchForm>
      <List
        title={query.get('query') ? 'Found' : `Newest ${mode} orders`}
        actions={!query.get('query') && <ExportLinks query={query} mode={mode} />}
        rows={data?.orders}
        fault={error}
        empty="No orders found. Numbers, phones and IDs must match in full."
        table={ORDERS}
        keyOf={({ order_id }) => order_id}
      >
        <OtherMode tab="orders" query={query} mode={mode} others={others} />
      </List>
      <Pager tab="orders" query={query} next={data?.next ?? null} />
    </>
  );
}
