import { Check, Field } from '../field.tsx';
import { Table } from '../table.tsx';
import { type AccountLimits, call, type OperatorAccount } from './api.ts';
import { DialogButton, fieldColumns, Pill, Section, textIn } from './parts.tsx';

/** Names of the limits: declines are per hour, everything else per day. */
const WORDS: Readonly<Record<string, string>> = {
  sms: 'SMS per day',
  emails: 'Emails per day',
  unpaid_orders: 'Live orders without a charge, per day',
  directory_lookups: 'Place and address lookups per day',
  sandbox_directory_lookups: 'Place and address lookups with sandbox keys, per day',
  unplaced_orders: 'Unplaced orders per day',
  unplaced_bytes: 'Bytes of unplaced orders per day',
  declines_user: 'Declined cards per hour, one user',
  declines_card: 'Declined charges per hour, one card',
  declines_key: 'Declined cards per hour, one live key',
};

export const wordsOfBudget = (budget: string): string => WORDS[budget] ?? budget;

const amount = (limit: number | null) => (limit === null ? 'unlimited' : limit.toLocaleString('en'));

type Budget = AccountLimits['budgets'][number];

function UseState({ used, limit }: Budget) {
  if (limit === null || used < limit) return <Pill tone="good">available</Pill>;
  return <Pill tone="bad">used up</Pill>;
}

/** An account's permissions and limits, and its use since midnight UTC. */
export function Limits({ account, reload }: { account: OperatorAccount; reload(): void }) {
  const { limits } = account;
  return (
    <Section title="Limits" actions={<LimitsButton account={account} reload={reload} />}>
      <p>
        Agents {limits.agent_orders === 'place' ? 'place orders' : 'hand orders over to a person'}
        {limits.agent_unpaid ? ', without a charge too' : ''}. Carts below the store's own price:{' '}
        <strong>{limits.negative_markup ? 'allowed' : 'refused'}</strong>. Declined cards an hour:{' '}
        <strong>
          {limits.declines_per_hour.map(({ scope, limit }) => `${amount(limit)} per ${scope}`).join(', ')}
        </strong>
        . Days end at midnight in UTC.
      </p>
      <Table
        caption="Budgets"
        rows={limits.budgets}
        keyOf={({ budget, mode }) => `${budget} ${mode}`}
        columns={[
          { head: 'Budget', cell: ({ budget }) => wordsOfBudget(budget) },
          { head: 'Mode', cell: ({ mode }) => mode },
          { head: 'State', cell: (budget) => <UseState {...budget} /> },
          { head: 'Used today', class: 'figure', cell: ({ used }) => amount(used) },
          { head: 'Limit', class: 'figure', cell: ({ limit }) => amount(limit) },
          { head: 'Set', cell: ({ is_own }) => (is_own ? 'for this account' : 'default') },
        ]}
      />
      {limits.held_back.length > 0 && <Breakers breakers={limits.held_back} />}
    </Section>
  );
}

const BREAKERS = {
  Blocked: 'scope',
  Which: 'subject',
  Account: 'account_id>accounts/account_id',
  Mode: 'mode',
  Declines: 'declines',
  Until: 'held_back_until',
};

/** Users, cards and keys that are blocked because of declined cards. */
export function Breakers({ breakers }: { breakers: AccountLimits['held_back'] }) {
  return (
    <Table
      caption="Blocked after declined cards"
      rows={breakers}
      keyOf={({ account_id, mode, scope, subject }) => `${account_id} ${mode} ${scope} ${subject}`}
      columns={fieldColumns(BREAKERS, breakers)}
    />
  );
}

function LimitsButton({ account, reload }: { account: OperatorAccount; reload(): void }) {
  const { limits } = account;
  const declines = limits.declines_per_hour.map(({ scope, ...limit }) => ({ budget: `declines_${scope}`, ...limit }));
  const all = [...limits.budgets, ...declines];
  const kinds = [...new Set(all.map(({ budget }) => budget))];
  const shownOf = (kind: string) => {
    const found = all.find(({ budget }) => budget === kind);
    return found?.is_own ? (found.limit === null ? 'unlimited' : String(found.limit)) : 'default';
  };
  const set = async (form: FormData) => {
    const changed = kinds
      .map((kind) => [kind, textIn(form, kind)] as const)
      .filter(([kind, text]) => text !== shownOf(kind));
    const requested = changed.map(([kind, text]) => [kind, /^\d+$/.test(text) ? Number(text) : text]);
    const body = {
      negative_markup: form.has('negative_markup'),
      agent_orders: form.has('handover') ? ('handover' as const) : ('place' as const),
      agent_unpaid: form.has('agent_unpaid'),
      limits: Object.fromEntries(requested),
    };
    await call('POST /operator/accounts/:account_id/limits', { path: { account_id: account.account_id }, body });
    reload();
  };
  return (
    <DialogButton to="admin" label="Set limits…" title={`Limits for ${account.name}`} verb="Set" send={set}>
      <Check name="negative_markup" isOn={limits.negative_markup} label="Allow carts below the store's own price" />
      <Check name="handover" isOn={limits.agent_orders === 'handover'} label="Agents hand orders over to a person" />
      <Check name="agent_unpaid" isOn={limits.agent_unpaid} label="Agents may order without a charge" />
      {kinds.map((kind) => (
        <Field
          key={kind}
          label={wordsOfBudget(kind)}
          name={kind}
          required
          pattern="\d+|unlimited|default"
          title="A whole number, unlimited or default"
          defaultValue={shownOf(kind)}
        />
      ))}
    </DialogButton>
  );
}
