/**
 * What a visitor is offered around a tap: controls and voice ask here, so that nothing is said that is not there. Pure.
 *
 * Invariant: nothing is offered that the touchpoint is not for.
 */
import type { DeviceState } from '../../../src-main/contract/device.ts';
import type { OfferItem, Stand } from '../../../src-main/contract/stand.ts';
import type { CapturedEvent } from './outcome.ts';
import { screensFor } from './purposes.ts';
import type { Session } from './session.ts';

/** Whether contents can be offered to this session: the partner has some, the touchpoint is for it, and it saw none yet. */
export function offersContents(session: Session, stand: Stand, device: DeviceState | null): boolean {
  const isFor = device === null || screensFor(device.purpose).contentPicker !== 'none';
  const seen = session.steps.some(({ kind }) => kind === 'contentPicker');
  return isFor && !seen && stand.offer.count > 0;
}

/** Whether one may choose contents before a tap. */
export function mayChooseFirst(stand: Stand | null, device: DeviceState | null): boolean {
  const picks = device !== null && screensFor(device.purpose).contentPicker === 'step';
  return picks && stand !== null && !stand.offer.here && stand.offer.count > 0;
}

/** Whether the outcome of `event` offers the confirmation e-mail: to somebody known, once nothing else is asked. */
export function offersEmail(event: CapturedEvent, session: Session, stand: Stand | null): boolean {
  return session.open.length === 0 && stand?.email === true && event.visitor !== null;
}

/** Contents one may choose before a tap. */
const basketLimit = 50;

/** `basket` with `item` in it, or without it where it was. */
export function toggledInBasket(basket: readonly OfferItem[], item: OfferItem): readonly OfferItem[] {
  const rest = basket.filter(({ id }) => id !== item.id);
  return rest.length < basket.length ? rest : [...basket, item].slice(0, basketLimit);
}
