import { useEffect, useState } from 'preact/hooks';
import { sentence } from '../../src/platform/languages/grammar.ts';
import { WEEKDAYS } from '../../src/supply/stores/hours.ts';
import { store as words } from '../../src/texts/en/store.ts';
import { Button } from '../button.tsx';
import { BareField, Check, Checks, Field, Form, Radios, Select, TwoLines } from '../field.tsx';
import { ApiError } from '../request.ts';
import { usePages, useRun } from '../use-read.ts';
import { isRight } from '../wrong-fields.ts';
import type { ConsoleContext } from './console-context.ts';
import { Amount, Count, type Limits } from './fields.tsx';
import type { MenuCategory } from './menu-editing.ts';
import { Alert } from './notices.tsx';
import {
  bodyOfDraft,
  type ChosenItem,
  endOf,
  faultOfDraft,
  type Names,
  namedProducts,
  nameKey,
  newDraft,
  OFFER_KINDS,
  type Offer,
  type OfferBody,
  type OfferDraft,
  type OfferKind,
  offerInWords,
  type TypedFields,
} from './offer-draft.ts';
import { FormDialog, Page } from './panel.tsx';
import { readCategories } from './use-menu.ts';
import { useProducts } from './use-products.ts';
import type { Desk } from './use-step.ts';
import type { StoreDesk } from './use-store.ts';

/* Offers of the store, and others' offers that it pays a part of: their state, uses and cost, and a new one. */

const { offers: say } = words;

/** Newest first. */
type Answer = { promotions: readonly Offer[]; next: string | null };
type Step = 'pause' | 'resume' | 'end' | 'accept';
const REFUSALS: Readonly<Record<string, string>> = say.refusals;

export function OffersView({ desk, store }: { desk: Desk; store: StoreDesk }) {
  const { context, tell } = desk;
  const [isNew, setNew] = useState(false);
  const { busy, error, errorOf, run } = useRun();
  const read = async (before = '') => {
    const mark = before && `?before=${encodeURIComponent(before)}`;
    const { promotions, next } = await context.api.get<Answer>(`/store/promotions${mark}`);
    return { items: promotions, next };
  };
  const { items: offers, more, isLoading, error: unread, reload } = usePages([], { read });
  /** Sends a change and reads all offers again, because other tablets and orders change them too. */
  const change = (name: string, path: string, body: object, done: string) =>
    run(name, async () => {
      await context.api.send('POST', `/store/promotions${path}`, body).catch((failure: unknown) => {
        const own = failure instanceof ApiError ? REFUSALS[failure.code] : undefined;
        throw own === undefined ? failure : new Error(own);
      });
      tell(done);
      await reload();
    });
  async function create(body: OfferBody): Promise<void> {
    if (await change('create', '', body, say.done.create)) setNew(false);
  }

  const { categories, names } = useNames(context, offers);
  if (isNew)
    return (
      <OfferForm
        desk={desk}
        categories={categories}
        names={names}
        ownsDelivery={store.settings?.delivery_parties.some(({ party }) => party === 'first') === true}
        isBusy={busy === 'create'}
        error={errorOf('create')}
        create={(body) => void create(body)}
        close={() => setNew(false)}
      />
    );
  return (
    <Page title={say.title} tools={<Button kind="main" onPress={() => setNew(true)} text={say.create} />}>
      <Alert text={error || unread} />
      <section class="panel" aria-label={say.title}>
        <ul class="rows">
          {offers?.map((offer) => (
            <OfferRow key={offer.promotion_id} desk={desk} offer={offer} names={names} busy={busy} change={change} />
          ))}
        </ul>
        {offers?.length === 0 && !unread && <p class="empty">{say.none}</p>}
        {more && <Button isBusy={isLoading} onPress={more} text={words.products.showMore} />}
      </section>
    </Page>
  );
}

/** The categories of the menu, and the names of items with offers. Nothing waits for them: until then it is counted. */
function useNames({ api }: Desk['context'], offers: readonly Offer[] = []) {
  const [categories, setCategories] = useState<readonly MenuCategory[]>([]);
  const [products, setProducts] = useState<Names>(new Map());
  const ids = new Set(offers.flatMap(namedProducts));
  useEffect(() => void readCategories(api).then(setCategories, () => {}), []);
  useEffect(() => {
    for (const id of ids) {
      const key = nameKey({ id, isCategory: false });
      const put = ({ name }: { name: string }) => setProducts((known) => new Map([...known, [key, name]]));
      if (!products.has(key))
        void api.get<{ name: string }>(`/store/menu/items/${encodeURIComponent(id)}`).then(put, () => {});
    }
  }, [[...ids].join()]);
  const named = categories.map(({ category_id: id, name }) => [nameKey({ id, isCategory: true }), name] as const);
  return { categories, names: new Map([...products, ...named]) };
}

type RowProps = {
  desk: Desk;
  offer: Offer;
  names: Names;
  busy: string;
  change: (name: string, path: string, body: object, done: string) => Promise<boolean>;
};

function OfferRow({ desk: { context }, offer, names, busy, change }: RowProps) {
  const { promotion_id: id, offered_by: by, funding, state, used = 0, cost = 0, sales = 0, agreements = [] } = offer;
  const [open, setOpen] = useState<'end' | 'accept' | 'last'>();
  const { format } = context;
  const title = sentence(offerInWords(offer, names, context));
  const path = `/${encodeURIComponent(id)}`;
  const isOwn = by === 'store' && state !== 'ended';
  const isOffered = by !== 'store' && funding.some(({ payer }) => payer === 'store') && agreements.length === 0;
  const step = (name: Step) => change(id, `${path}/${name}`, {}, say.done[name]);
  const button = (action: string, press: () => void) => (
    <Button
      label={say.actionFor({ action, offer: offer.title ?? title })}
      isBusy={busy === id}
      onPress={press}
      text={action}
    />
  );
  const numbers = [
    say.uses({ count: used }),
    say.cost({ amount: format.money(cost) }),
    say.sales({ amount: format.money(sales) }),
  ];
  return (
    <li class="offer">
      <p>
        <span class={`state ${state === 'active' ? 'working' : ''}`}>{say.states[state]}</span>
        <strong>{offer.title ?? title}</strong>
        {offer.title !== undefined && <span>{title}</span>}
        {offer.used !== undefined && <span class="soft">{numbers.join(' · ')}</span>}
      </p>
      <div class="press-row">
        {isOffered && button(say.accept, () => setOpen('accept'))}
        {isOwn && state === 'paused' && button(say.resume, () => void step('resume'))}
        {isOwn && state !== 'paused' && button(say.pause, () => void step('pause'))}
        {isOwn && button(say.changeEnd, () => setOpen('last'))}
        {isOwn && button(say.end, () => setOpen('end'))}
      </div>
      {open === 'last' && (
        <LastDay id={id} offer={offer} context={context} change={change} close={() => setOpen(undefined)} />
      )}
      {(open === 'end' || open === 'accept') && (
        <Confirm
          name={open}
          offer={offer}
          text={title}
          context={context}
          run={() => void step(open)}
          close={() => setOpen(undefined)}
        />
      )}
    </li>
  );
}

type ConfirmProps = {
  name: 'end' | 'accept';
  offer: Offer;
  text: string;
  context: Desk['context'];
  run: () => void;
  close: () => void;
};

function Confirm({ name, offer, text, context: { format }, run, close }: ConfirmProps) {
  const share = offer.funding.find(({ payer }) => payer === 'store')?.percent ?? 0;
  const isEnd = name === 'end';
  return (
    <FormDialog
      title={isEnd ? say.endTitle : say.acceptTitle}
      close={close}
      submit={() => {
        run();
        close();
      }}
      kind={isEnd ? 'main danger' : 'main'}
      text={say[name]}
    >
      <p>{text}</p>
      <p class="hint">{isEnd ? say.endHint : say.acceptHint({ percent: format.percent(share) })}</p>
    </FormDialog>
  );
}

type LastDayProps = Pick<RowProps, 'offer' | 'change'> & { id: string; context: Desk['context']; close: () => void };

/** The last day of an offer, which an offer that has begun can only have earlier. */
function LastDay({ id, offer, context: { clock }, change, close }: LastDayProps) {
  const [last, setLast] = useState(offer.ends_at === undefined ? '' : clock.date(offer.ends_at - 1));
  async function save(): Promise<void> {
    if (last === '') return;
    await change(id, `/${encodeURIComponent(id)}`, { ends_at: endOf(last, clock) }, say.done.change);
    close();
  }
  return (
    <FormDialog title={say.changeEnd} close={close} submit={save} isOff={last === ''} text={say.save}>
      <Field label={say.newEnd} type="date" value={last} set={setLast} />
    </FormDialog>
  );
}

/* The form of a new offer: its kind, its items and conditions, and a sentence that previews it. */

type Props = {
  desk: Desk;
  categories: readonly MenuCategory[];
  names: Names;
  /** Whether delivery fees are the store's. */
  ownsDelivery: boolean;
  isBusy: boolean;
  error: string;
  create: (body: OfferBody) => void;
  close: () => void;
};

function OfferForm({ desk, categories, names, ownsDelivery, isBusy, error, create, close }: Props) {
  const { context } = desk;
  const [draft, setDraft] = useState(() => newDraft('percent'));
  const [isSubmitted, setSubmitted] = useState(false);
  const set = (changes: Partial<OfferDraft>) => setDraft((before) => ({ ...before, ...changes }));
  const { kind } = draft.body;
  const found = faultOfDraft(draft, context.clock.date(context.now()));
  const body = bodyOfDraft(draft, context.clock);
  const picked = [draft.items ?? [], draft.getItems ?? []].flat().map((item) => [nameKey(item), item.name] as const);
  const fields = { context, draft, set, send: (part: TypedFields) => set({ body: { ...draft.body, ...part } }) };

  function submit(): void {
    setSubmitted(true);
    const form = document.querySelector<HTMLElement>('.menu-form');
    if (form && isRight(form) && found === undefined && !isBusy) create(body);
  }
  return (
    <Page title={say.create} tools={<Button kind="quiet" onPress={close} text={words.frame.back} />}>
      <Form class="panel menu-form" submit={submit} noValidate>
        <Kinds kind={kind} ownsDelivery={ownsDelivery} set={(chosen) => setDraft(newDraft(chosen))} />
        <Terms key={kind} {...fields} />
        <Items desk={desk} categories={categories} draft={draft} set={set} />
        <Times {...fields} />
        <details>
          <summary>{say.more}</summary>
          <More {...fields} />
        </details>
        <p class="hint">{say.alcohol}</p>
        <p class="offer-preview" role="status">
          {found === undefined && sentence(offerInWords(body, new Map([...names, ...picked]), context))}
        </p>
        <Alert text={(isSubmitted && found) || error} />
        <div class="buttons">
          <Button submit kind="main" isBusy={isBusy} text={isBusy ? words.frame.saving : say.start} />
          <Button onPress={close} text={words.frame.back} />
        </div>
      </Form>
    </Page>
  );
}

type KindsProps = { kind: OfferKind; ownsDelivery: boolean; set: (kind: OfferKind) => void };

function Kinds({ kind, ownsDelivery, set }: KindsProps) {
  const kinds = OFFER_KINDS.filter((one) => one !== 'delivery' || ownsDelivery);
  return (
    <fieldset>
      <legend class="unseen">{say.kind}</legend>
      <Radios
        name="kind"
        value={kind}
        set={set}
        options={kinds.map((one) => [one, <TwoLines main={say.kinds[one]} more={say.hints[one]} />] as const)}
      />
    </fieldset>
  );
}

type FieldsProps = {
  context: ConsoleContext;
  draft: OfferDraft;
  set: (changes: Partial<OfferDraft>) => void;
  /** Changes fields that are sent as they are. */
  send: (part: TypedFields) => void;
};
type CentsName = 'amount_cents' | 'price_cents' | 'max_discount_cents' | 'minimum_subtotal' | 'budget_cents';
type CountName = 'percent' | 'buy' | 'get' | 'times' | 'max_uses' | 'max_uses_per_user';

/** Fields of amounts and numbers by name. */
const fieldsOf = ({ context, draft: { body }, send }: FieldsProps) => ({
  amount: (label: string, name: CentsName, required = false) => (
    <Amount
      context={context}
      label={label}
      cents={body[name] ?? 0}
      set={(cents) => send({ [name]: cents === 0 ? undefined : cents })}
      required={required}
    />
  ),
  count: (label: string, name: CountName, limits: Limits = {}) => (
    <Count label={label} count={body[name]} set={(count) => send({ [name]: count || undefined })} {...limits} />
  ),
});

const SOME = { min: 1, required: true };
const PERCENT = { ...SOME, max: 100 };

/** How much it takes off, and from how large an order. */
function Terms(fields: FieldsProps) {
  const { body, getItems } = fields.draft;
  const { kind } = body;
  const { amount, count } = fieldsOf(fields);
  return (
    <div class="fields">
      {kind === 'percent' && count(say.percent, 'percent', PERCENT)}
      {kind === 'amount' && amount(say.amount, 'amount_cents', true)}
      {kind === 'item_price' && amount(say.price, 'price_cents', true)}
      {kind === 'buy_get' && count(say.buy, 'buy', SOME)}
      {kind === 'buy_get' && count(say.get, 'get', SOME)}
      {kind === 'buy_get' && count(say.getPercent, 'percent', PERCENT)}
      {kind !== 'item_price' && amount(say.minimum, 'minimum_subtotal')}
      {kind === 'percent' && amount(say.maxDiscount, 'max_discount_cents')}
      {getItems && count(say.timesLimit, 'times')}
    </div>
  );
}

type MenuProps = Pick<Props, 'desk' | 'categories'>;
type ItemsProps = MenuProps & Pick<FieldsProps, 'draft' | 'set'>;

function Items({ draft: { body, items, getItems }, set, ...menu }: ItemsProps) {
  if (body.kind === 'delivery') return null;
  const isPair = body.kind === 'buy_get';
  const any = { percent: say.everything, amount: say.everything, buy_get: say.anything, item_price: undefined };
  return (
    <>
      <ItemsField
        {...menu}
        key={body.kind}
        title={isPair ? say.buyItems : say.items}
        any={any[body.kind]}
        chosen={items}
        set={(chosen) => set({ items: chosen })}
      />
      {isPair && (
        <ItemsField
          {...menu}
          title={say.getItems}
          any={say.sameItems}
          chosen={getItems}
          set={(chosen) => set({ getItems: chosen })}
        />
      )}
    </>
  );
}

/** Days of the week, and from when to when. */
function Times({ context, draft: { days, from, to }, set }: FieldsProps) {
  return (
    <fieldset class="offer-days">
      <legend>{say.days}</legend>
      <p class="hint">{say.daysHint}</p>
      <Checks
        options={WEEKDAYS.map((_, day) => [day, context.format.weekday(day)] as const)}
        chosen={days}
        set={(chosen) => set({ days: chosen })}
      />
      <div class="fields">
        <Field label={say.from} type="time" value={from} required={to !== ''} set={(value) => set({ from: value })} />
        <Field label={say.to} type="time" value={to} required={from !== ''} set={(value) => set({ to: value })} />
      </div>
    </fieldset>
  );
}

/** Conditions that few offers have; a price in the menu has none of an order. */
function More(fields: FieldsProps) {
  const { draft, set, send } = fields;
  const { first, last } = draft;
  const { kind, mode, title = '', code = '', first_order: isFirst = false, listed = code.trim() === '' } = draft.body;
  const { amount, count } = fieldsOf(fields);
  const isPrice = kind === 'item_price';
  return (
    <>
      <Field label={say.name} maxLength={100} autocomplete="off" value={title} set={(text) => send({ title: text })}>
        <span class="hint">{say.nameHint}</span>
      </Field>
      {!isPrice && (
        <Field label={say.code} maxLength={32} autocomplete="off" value={code} set={(text) => send({ code: text })}>
          <span class="hint">{say.codeHint}</span>
        </Field>
      )}
      <div class="fields">
        <Field label={words.dates.first} type="date" value={first} set={(day) => set({ first: day })} />
        <Field label={words.dates.last} type="date" min={first} value={last} set={(day) => set({ last: day })} />
        <Select
          label={say.mode}
          options={[
            ['', say.bothModes],
            ['delivery', words.terms.delivery],
            ['pickup', words.terms.pickup],
          ]}
          value={mode}
          set={(value) => send({ mode: value || undefined })}
        />
        {!isPrice && count(say.maxUses, 'max_uses')}
        {!isPrice && count(say.maxUsesPerUser, 'max_uses_per_user')}
        {!isPrice && amount(say.budget, 'budget_cents')}
      </div>
      {!isPrice && <p class="hint">{say.budgetHint}</p>}
      {!isPrice && <Check label={say.firstOrder} isOn={isFirst} set={(isOn) => send({ first_order: isOn })} />}
      <Check label={say.listed} isOn={listed} set={(isOn) => send({ listed: isOn })} />
    </>
  );
}

/** Maximum products listed per search; more words narrow it down. */
const MAX_FOUND = 8;

type ItemsFieldProps = {
  desk: Desk;
  title: string;
  /** The meaning of no choice; undefined where items must be chosen. */
  any: string | undefined;
  categories: readonly MenuCategory[];
  chosen: readonly ChosenItem[] | undefined;
  set: (chosen: readonly ChosenItem[] | undefined) => void;
};

/** Categories and products of the menu, or all of them. */
function ItemsField({ title, any, chosen, set, ...rest }: ItemsFieldProps) {
  return (
    <fieldset class="offer-items" data-wrong={chosen?.length === 0 || undefined}>
      <legend>{title}</legend>
      {any !== undefined && (
        <Radios
          name={title}
          value={chosen ? 'chosen' : 'any'}
          set={(choice) => set(choice === 'any' ? undefined : [])}
          options={[
            ['any', any],
            ['chosen', say.chosen],
          ]}
        />
      )}
      {(any === undefined || chosen !== undefined) && (
        <Choices {...rest} title={title} chosen={chosen ?? []} set={set} />
      )}
    </fieldset>
  );
}

type ChoicesProps = Omit<ItemsFieldProps, 'any' | 'chosen'> & { chosen: readonly ChosenItem[] };

function Choices({ desk, title, categories, chosen, set }: ChoicesProps) {
  const [query, setQuery] = useState('');
  const { products } = useProducts(desk, query, false);
  const found = query.trim() === '' ? [] : products.slice(0, MAX_FOUND);
  const keys = new Set(chosen.map(nameKey));
  const items = new Map(
    [
      ...categories.map(({ category_id: id, name }) => ({ id, name, isCategory: true })),
      ...chosen,
      ...found.map(({ external_id: id, name }) => ({ id, name, isCategory: false })),
    ].map((item) => [nameKey(item), item]),
  );
  const toggle = (item: ChosenItem, isOn: boolean) =>
    set(isOn ? [...chosen, item] : chosen.filter((one) => nameKey(one) !== nameKey(item)));
  return (
    <>
      <BareField type="search" label={`${title} ${say.find}`} placeholder={say.find} value={query} set={setQuery} />
      <div class="choices">
        {[...items].map(([key, item]) => (
          <Check key={key} label={item.name} isOn={keys.has(key)} set={(isOn) => toggle(item, isOn)} />
        ))}
      </div>
    </>
  );
}
