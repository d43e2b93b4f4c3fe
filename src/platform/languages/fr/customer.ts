import type { customer as english } from '../en/customer.ts';
import type { Words } from '../words.ts';

export const customer = {
  cancelReason: {
    canceled_by_store: 'Le commerce l’a annulée.',
    store_did_not_confirm: 'Le commerce ne l’a pas confirmée à temps.',
    not_placed_in_time: 'Votre paiement a pris trop de temps : nous ne l’avons pas transmise au commerce.',
    out_of_stock: 'Le commerce n’a plus un des articles commandés.',
    item_unavailable: 'Le commerce n’a plus un des articles commandés.',
    store_closed: 'Le commerce est fermé.',
    closed: 'Le commerce est fermé.',
    too_busy: 'Le commerce est trop occupé en ce moment.',
    no_driver: 'Aucun livreur n’était disponible.',
    courier_gave_up: 'Le livreur n’a pas pu la livrer.',
    customer_request: 'Vous avez demandé de l’annuler.',
    canceled_by_account: 'Le service à la clientèle l’a annulée.',
    canceled_by_customer: 'Vous l’avez annulée.',
  },
} satisfies Words<typeof english>;
