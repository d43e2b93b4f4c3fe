import type { Words } from '../../platform/languages/words.ts';
import type { dropOff as english } from '../en/drop-off.ts';

export const dropOff = {
  title: 'Forma de entrega',
  where: { hand_to_me: 'Entregar en persona', leave_at_door: 'Dejar en la puerta', meet_outside: 'Encontrarse afuera' },
  utensils: 'Incluir cubiertos',
  noUtensils: 'Sin cubiertos',
  asksCode: 'Pedir el PIN',
  wantsCode: 'Pedir un PIN al entregar',
  code: 'Tu PIN',
  codeHint: 'Dáselo a la persona que te entregue el pedido.',
} satisfies Words<typeof english>;
