import { Type } from 'typebox';
import { operation } from '../../access/operations/operation.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Db } from '../../platform/db/connect.ts';
import { component, optionalText } from '../../platform/http/api-components.ts';
import { countStoresByState } from './duties.db.ts';
import { DUTY_PLACES, DUTY_TOPICS, type DutyFacts, type DutyPlace, dutiesOf, findingOf } from './duties.ts';
import { maybeText } from './field-schemas.ts';

const DutySchema = component('Duty', "A marketplace's legal duty in a place.", {
  place: Type.String({ description: 'A country, state, province or city.' }),
  topic: Type.Enum(Object.keys(DUTY_TOPICS)),
  due: Type.String({ description: 'The duty.' }),
  since: maybeText('`YYYY-MM-DD`, if known.'),
  source: Type.Object({
    title: Type.String(),
    section: Type.String(),
    url: Type.String(),
    is_read: Type.Boolean({ description: '`false`: cited by its title, without a comparison.' }),
  }),
  doorstep: Type.String({ description: "The service's automatic part." }),
  to_set: Type.String({ description: "The operator's settings." }),
  left_to_you: Type.String({ description: "The operator's remaining tasks." }),
  finding: maybeText("The service's settings and live stores that don't meet it, as far as can be determined."),
});

export const listDutiesOperation = operation({
  endpoint: 'GET /duties',
  summary: "List a marketplace's legal duties in a state or province",
  description:
    "Compares the table in docs/marketplace-compliance.md with the service's settings and live stores. Empty for an unknown place. This isn't legal advice.",
  example: { query: { state: 'NY' } },
  query: Type.Object({ state: optionalText(3, 'A state or province, with its country and cities. Defaults to all.') }),
  answer: Type.Object({ duties: Type.Array(DutySchema) }, { description: 'By place, each after its country.' }),
  on: { operator: { command: 'duties', role: 'viewer' } },
}).run(async ({ db, config }: { db: Db; config: Config }, { query }) => {
  const counts = await countStoresByState(db);
  return {
    duties: dutiesOf(query.state).map(([place, topic, due, since, title, section, url, unread]) => ({
      place: DUTY_PLACES[place][2],
      topic,
      due,
      since: since === '' ? null : since,
      source: { title, section, url, is_read: unread === undefined },
      doorstep: DUTY_TOPICS[topic].does,
      to_set: DUTY_TOPICS[topic].set,
      left_to_you: DUTY_TOPICS[topic].left,
      finding: findingOf(topic, factsOf(place, config, counts)),
    })),
  };
});

/** The facts of a place. Stores have no city of a duty, so a city counts those of its state. */
function factsOf(place: DutyPlace, config: Config, counts: Awaited<ReturnType<typeof countStoresByState>>): DutyFacts {
  const [country, state] = DUTY_PLACES[place];
  const own = counts.filter((of) => of.country === country && (state === '' || of.state === state));
  const sum = (of: 'stores' | 'withoutAgreement' | 'statewideTaxes') => own.reduce((all, one) => all + one[of], 0);
  return {
    requireAgreement: config.requireAgreement,
    personalDataDays: config.personalDataDays,
    showStoresAddedFees: config.showStoresAddedFees,
    acceptRawCards: config.acceptRawCards,
    hasLiveGateway: config.paymentGateway !== undefined,
    stores: sum('stores'),
    withoutAgreement: sum('withoutAgreement'),
    statewideTaxes: sum('statewideTaxes'),
  };
}
