import { useEffect, useState } from 'preact/hooks';
import { store as words } from '../../src/texts/en/store.ts';
import { Dialog } from '../dialog.tsx';
import { Button } from './button.tsx';
import { useRun } from './hooks.ts';
import { Alert } from './notices.tsx';
import type { Desk } from './use-step.ts';

/* Staff of a store: their names, codes and last sign-ins. */

const { staff: say } = words;

const MAX_NAME = 60;

type Member = { staff_id: string; name: string; created_at: number; seen_at: number | null };
type NewCode = { name: string; code: string };

/** The people who sign in with a code of their own, for the owner of the store. */
export function StaffPanel({ desk: { context, tell } }: { desk: Desk }) {
  const [staff, setStaff] = useState<readonly Member[]>([]);
  const [name, setName] = useState('');
  const [shown, setShown] = useState<NewCode>();
  const [removing, setRemoving] = useState<Member>();
  const { busy, error, run: runOne } = useRun();

  const run = (what: string, work: () => Promise<void>) =>
    runOne(what, async () => {
      await work();
      setStaff((await context.api.get<{ staff: Member[] }>('/store/staff')).staff);
    });
  const change = <Answer,>({ staff_id: id }: Member, step: 'code' | 'remove') =>
    context.api.send<Answer>('POST', `/store/staff/${encodeURIComponent(id)}/${step}`);

  const add = () =>
    run('add', async () => {
      setShown(await context.api.send<NewCode>('POST', '/store/staff', { name }));
      setName('');
    });
  const replace = (member: Member) => run(member.staff_id, async () => setShown(await change<NewCode>(member, 'code')));
  const remove = (member: Member) =>
    run(member.staff_id, async () => {
      setRemoving(undefined);
      await change(member, 'remove');
      tell(say.removed({ name: member.name }));
    });

  useEffect(() => void run('', async () => {}), []);
  return (
    <section class="panel" aria-labelledby="staff">
      <h2 id="staff">{say.title}</h2>
      <p class="hint">{say.hint}</p>
      <ul class="rows">
        {staff.map((member) => (
          <li key={member.staff_id}>
            <p>
              <strong>{member.name}</strong>
              <span class="soft">
                {member.seen_at === null
                  ? say.neverUsed
                  : words.settings.lastUsed({ moment: context.clock.moment(member.seen_at, context.now()) })}
              </span>
            </p>
            <div class="press-row">
              <Button
                label={say.newCodeFor({ name: member.name })}
                isBusy={busy === member.staff_id}
                onPress={() => void replace(member)}
              >
                {say.newCode}
              </Button>
              <Button label={say.removeOf({ name: member.name })} onPress={() => setRemoving(member)}>
                {say.remove}
              </Button>
            </div>
          </li>
        ))}
      </ul>
      <Alert text={error} />
      <form
        class="press-row"
        onSubmit={(event) => {
          event.preventDefault();
          if (busy === '' && name.trim() !== '') void add();
        }}
      >
        <input
          aria-label={say.name}
          placeholder={say.name}
          maxLength={MAX_NAME}
          autocomplete="off"
          value={name}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
        <Button submit isBusy={busy === 'add'} isOff={name.trim() === ''}>
          {say.add}
        </Button>
      </form>
      {shown && (
        <Dialog title={say.codeOf({ name: shown.name })} close={() => setShown(undefined)}>
          <p class="staff-code">{shown.code}</p>
          <p class="hint">{say.codeHint}</p>
          <Button kind="primary" onPress={() => setShown(undefined)}>
            {say.done}
          </Button>
        </Dialog>
      )}
      {removing && (
        <Dialog title={say.removeTitle({ name: removing.name })} close={() => setRemoving(undefined)}>
          <p class="hint">{say.removeHint}</p>
          <div class="press-row">
            <Button kind="danger" onPress={() => void remove(removing)}>
              {say.remove}
            </Button>
            <Button onPress={() => setRemoving(undefined)}>{words.frame.back}</Button>
          </div>
        </Dialog>
      )}
    </section>
  );
}
