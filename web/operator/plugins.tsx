import { type AnswerOf, addressOf } from './api.ts';
import { useLoad } from './hooks.ts';
import { List, Pill } from './parts.tsx';

type Plugin = AnswerOf<'GET /operator/plugins'>['plugins'][number];

const PORTS: Readonly<Record<Plugin['offers'][number]['list'], string>> = {
  couriers: 'Courier company',
  gateways: 'Payments',
  geocoders: 'Geocoder',
  directories: 'Directory of places',
  photos: 'Store of photos',
  taxes: 'Taxes',
  mailers: 'Mail',
  sms: 'SMS',
  printers: 'Printer',
  formats: 'Import format',
  routes: 'Routes',
  tracers: 'Traces',
};
/** The loaded plug-ins: which ports they fill, and which of their settings are set. */
export function PluginsView() {
  const { data, error } = useLoad('GET /operator/plugins', {});
  return (
    <>
      <h1>Plug-ins</h1>
      <List
        title="Loaded plug-ins"
        rows={data?.plugins}
        fault={error}
        empty="No plug-ins."
        keyOf={({ name }) => name}
        columns={[
          {
            head: 'Plug-in',
            class: 'phone',
            cell: ({ name, version }) => (
              <>
                <strong>{name}</strong> <span class="soft">{version}</span>
              </>
            ),
          },
          { head: 'Fills', cell: Ports },
          { head: 'Settings', cell: Settings },
        ]}
      >
        <p>
          Settings are <a href={addressOf('/docs/plugins')}>environment variables</a> that the service reads when it
          starts. Their values are never shown.
        </p>
      </List>
    </>
  );
}

function Ports({ configured, offers }: Plugin) {
  return (
    <div class="offers">
      {offers.map(({ list, name, chosen }) => (
        <span key={`${list} ${name}`}>
          {PORTS[list]}: {name}{' '}
          {configured && chosen !== false && <Pill tone="good">{chosen ? 'in use' : 'ready'}</Pill>}
        </span>
      ))}
    </div>
  );
}

function Settings({ settings }: Plugin) {
  if (settings.length === 0) return <span class="soft">–</span>;
  return (
    <div class="offers">
      {settings.map(({ name, state, expected }) => (
        <span key={name}>
          <code>{name}</code> <Pill tone={state === 'set' ? 'good' : 'plain'}>{state}</Pill>{' '}
          {state === 'missing' && <span class="soft">{expected}</span>}
        </span>
      ))}
    </div>
  );
}
