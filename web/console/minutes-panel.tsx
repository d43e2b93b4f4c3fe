import { useEffect, useState } from 'preact/hooks';
import { WEEKDAYS } from '../../src/supply/stores/hours.ts';
import type { StoreMinutes } from '../../src/surfaces/store-console/store.route.ts';
import { store as words } from '../../src/texts/en/store.ts';
import { Button } from './button.tsx';
import { rangeInWords } from './hours-editing.ts';
import { Alert } from './notices.tsx';
import type { Desk } from './use-step.ts';
import type { StoreDesk } from './use-store.ts';

const { minutes: say } = words;

/** How long orders took by hour, beside the quoted minutes, and whether they are quoted. */
export function MinutesPanel({ desk, store: { settings, busy, errorOf, change } }: { desk: Desk; store: StoreDesk }) {
  const { api, format } = desk.context;
  const [minutes, setMinutes] = useState<StoreMinutes>();
  useEffect(() => {
    void api.get<StoreMinutes>('/store/minutes').then(setMinutes, () => {});
  }, []);
  if (!settings || !minutes) return null;
  const isAuto = settings.preparation === 'auto';
  const [least = 0, most = least] = minutes.stated;
  const turn = () =>
    change('minutes', 'PUT', '/store/kitchen', ({ kitchen }) => ({
      ...kitchen,
      preparation: isAuto ? 'stated' : 'auto',
    }));
  return (
    <section class="panel" aria-labelledby="minutes">
      <h2 id="minutes">{say.title}</h2>
      <p class="hint">{isAuto ? say.isAuto : say.isStated({ least, most })}</p>
      {minutes.hours.length === 0 ? (
        <p class="soft">{say.none}</p>
      ) : (
        <ul class="rows">
          {minutes.hours.map(({ weekday, hour, orders, median, p80 }) => (
            <li key={`${weekday} ${hour}`}>
              <p>
                <strong>
                  {format.weekday(WEEKDAYS.indexOf(weekday))},{' '}
                  {rangeInWords({ startMinute: hour * 60, endMinute: hour * 60 + 60 }, format)}
                </strong>
                <span class="soft">{say.took({ median, p80, orders })}</span>
              </p>
            </li>
          ))}
        </ul>
      )}
      {(isAuto || minutes.hours.length > 0) && (
        <Button isBusy={busy === 'minutes'} onPress={() => void turn()}>
          {isAuto ? say.useStated : say.useLearned}
        </Button>
      )}
      <Alert text={errorOf('minutes')} />
    </section>
  );
}
