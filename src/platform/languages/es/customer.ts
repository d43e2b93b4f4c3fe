import type { customer as english } from '../en/customer.ts';
import type { Words } from '../words.ts';

export const customer = {
  cancelReason: {
    canceled_by_store: 'La tienda lo canceló.',
    store_did_not_confirm: 'La tienda no lo confirmó a tiempo.',
    not_placed_in_time: 'El pago tardó demasiado, así que no lo enviamos a la tienda.',
    out_of_stock: 'A la tienda se le acabó algo de lo que pediste.',
    item_unavailable: 'A la tienda se le acabó algo de lo que pediste.',
    store_closed: 'La tienda está cerrada.',
    closed: 'La tienda está cerrada.',
    too_busy: 'La tienda está muy ocupada en este momento.',
    no_driver: 'No había ningún repartidor disponible.',
    courier_gave_up: 'Tu repartidor no pudo entregarlo.',
    customer_request: 'Pediste cancelarlo.',
    canceled_by_account: 'Atención al cliente lo canceló.',
    canceled_by_customer: 'Lo cancelaste.',
  },
} satisfies Words<typeof english>;
