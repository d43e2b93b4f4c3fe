import type { Words } from '../../platform/languages/words.ts';
import type { promoCode as english } from '../en/promo-code.ts';

export const promoCode = {
  open: 'Agregar un código promocional',
  label: 'Código promocional',
  add: 'Aplicar',
  remove: ({ code }) => `Quitar ${code}`,
  applied: ({ code }) => `${code} está aplicado.`,
  malformed: 'Escribe un código de 4 a 32 letras, números o guiones.',
  firstOrder: ({ code }) => `${code} es solo para primeros pedidos. Lo comprobaremos cuando hagas el tuyo.`,
  items: {
    selected: 'productos seleccionados',
    any: 'productos',
    except: ({ items, except }) => `${items} excepto ${except}`,
  },
  reasons: {
    not_valid: ({ code }) => `${code} no es un código válido.`,
    not_yet: ({ code }) => `${code} aún no está activo.`,
    wrong_store: ({ code }) => `${code} no sirve aquí.`,
    wrong_mode: ({ code }) => `Para usar ${code}, cambia entre entrega a domicilio y recoger.`,
    wrong_time: ({ code }) => `${code} no sirve a esta hora.`,
    minimum_not_met: ({ code, amount, items }) =>
      `Agrega ${amount} más${items === undefined ? '' : ` en ${items}`} para usar ${code}.`,
    no_matching_items: ({ code }) => `${code} no aplica a nada de tu carrito.`,
    only_alcohol: ({ code }) => `${code} no aplica al alcohol.`,
    first_order_only: ({ code }) => `${code} es solo para primeros pedidos.`,
    already_used: ({ code }) => `Ya usaste ${code}.`,
    used_up: ({ code }) => `${code} ya no está disponible.`,
    nothing_to_discount: ({ code }) => `En este pedido no hay nada que ${code} pueda descontar.`,
    better_offer_applied: ({ code }) => `Ya tienes una oferta mejor, así que ${code} no se aplica.`,
    duplicate: ({ code }) => `${code} ya está aplicado.`,
  },
} satisfies Words<typeof english>;
