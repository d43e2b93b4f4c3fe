import { Type } from 'typebox';
import type { Config } from '../../platform/config/config.ts';
import type { Db } from '../../platform/db/connect.ts';
import { component, optionalText } from '../../platform/http/api-components.ts';
import { countStoresByState } from './duties.db.ts';
import { DUTY_PLACES, DUTY_TOPICS, type DutyFacts, type DutyPlace, dutiesOf, findingOf } from './duties.ts';
import { maybeText } from './field-schemas.ts';
import { procedure } from './procedure.ts';

const DutySchema = component('Duty', 'What a marketplace must do in a place.', {
  place: Type.String({ description: 'A country, state, province or city.' }),
  topic: Type.Enum(Object.keys(DUTY_TOPICS)),
  due: Type.String({ description: 'What a marketplace must do there.' }),
  since: maybeText('`YYYY-MM-DD`, as far as known.'),
  source: Type.Object({
    title: Type.String(),
    section: Type.String(),
    url: Type.String(),
    is_read: Type.Boolean({ description: 'False: cited by its title, not compared.' }),
  }),
  doorstep: Type.String({ description: 'What the service does by itself.' }),
  to_set: Type.String({ description: 'What the operator sets.' }),
  left_to_you: Type.String({ description: 'What the service cannot do.' }),
  finding: maybeText('What of the settings and live stores of this service does not meet it, as far as can be seen.'),
});

export const listDutiesProcedure = procedure({
  endpoint: 'GET /operator/duties',
  command: 'duties',
  role: 'viewer',
  summary: 'What a marketplace must do in a state or province',
  description:
    'From the table of docs/marketplace-compliance.md, compared with the settings and live stores of this service. Empty for a place that it does not know. It is no legal advice.',
  example: { query: { state: 'NY' } },
  query: Type.Object({ state: optionalText(3, 'A state or province, with its country and cities; all by default.') }),
  answer: Type.Object({ duties: Type.Array(DutySchema) }, { description: 'By place, each after its country.' }),
  async run({ db, config }: { db: Db; config: Config }, { query }) {
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
  },
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
