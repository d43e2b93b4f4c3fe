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
          <MemberRow
            key={member.staff_id}
            member={member}
            context={context}
            isBusy={busy === member.staff_id}
            replace={() => void replace(member)}
            remove={() => setRemoving(member)}
          />
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
      {shown && <CodeDialog {...shown} close={() => setShown(undefined)} />}
      {removing && (
        <RemoveDialog name={removing.name} remove={() => void remove(removing)} close={() => setRemoving(undefined)} />
      )}
    </section>
  );
}

type RowProps = {
  member: Member;
  context: Desk['context'];
  isBusy: boolean;
  replace: () => void;
  remove: () => void;
};

function MemberRow({ member, context, isBusy, replace, remove }: RowProps) {
  return (
    <li>
      <p>
        <strong>{member.name}</strong>
        <span class="soft">
          {member.seen_at === null
            ? say.neverUsed
            : words.settings.lastUsed({ moment: context.clock.moment(member.seen_at, context.now()) })}
        </span>
      </p>
      <div class="press-row">
        <Button label={say.newCodeFor({ name: member.name })} isBusy={isBusy} onPress={replace}>
          {say.newCode}
        </Button>
        <Button label={say.removeOf({ name: member.name })} onPress={remove}>
          {say.remove}
        </Button>
      </div>
    </li>
  );
}

function CodeDialog({ name, code, close }: NewCode & { close: () => void }) {
  return (
    <Dialog title={say.codeOf({ name })} close={close}>
      <p class="staff-code">{code}</p>
      <p class="hint">{say.codeHint}</p>
      <Button kind="primary" onPress={close}>
        {say.done}
      </Button>
    </Dialog>
  );
}

function RemoveDialog({ name, remove, close }: { name: string; remove: () => void; close: () => void }) {
  return (
    <Dialog title={say.removeTitle({ name })} close={close}>
      <p class="hint">{say.removeHint}</p>
      <div class="press-row">
        <Button kind="danger" onPress={remove}>
          {say.remove}
        </Button>
        <Button onPress={close}>{words.frame.back}</Button>
      </div>
    </Dialog>
  );
}
