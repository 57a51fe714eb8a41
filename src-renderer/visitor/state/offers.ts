/**
 * What is offered to a visitor around a tap. Controls and voice use the same rules, so that the voice names only
 * offers that are shown. Pure.
 *
 * Invariant: nothing is offered that does not fit the purpose of the touchpoint.
 */
import type { DeviceState } from '../../../src-main/contract/device.ts';
import type { OfferItem, Stand } from '../../../src-main/contract/stand.ts';
import type { CapturedEvent } from './outcome.ts';
import { screensFor } from './purposes.ts';
import type { Session } from './session.ts';

/**
 * Whether to offer contents in this session: the partner has some, the purpose allows it, and the session has not
 * shown any yet.
 */
export function offersContents(session: Session, stand: Stand, device: DeviceState | null): boolean {
  const isFor = device === null || screensFor(device.purpose).contentPicker !== 'none';
  const seen = session.steps.some(({ kind }) => kind === 'contentPicker');
  return isFor && !seen && stand.offer.count > 0;
}

/** Whether contents can be chosen before a tap. */
export function mayChooseFirst(stand: Stand | null, device: DeviceState | null): boolean {
  const picks = device !== null && screensFor(device.purpose).contentPicker === 'step';
  return picks && stand !== null && !stand.offer.here && stand.offer.count > 0;
}

/**
 * Whether the outcome of `event` offers the confirmation e-mail: if the stand offers it, the visitor is known, and no
 * consent or question is open.
 */
export function offersEmail(event: CapturedEvent, session: Session, stand: Stand | null): boolean {
  return session.open.length === 0 && stand?.email === true && event.visitor !== null;
}

/** Maximum number of contents that can be chosen before a tap. */
const basketLimit = 50;

/** `basket` with `item` added, or removed if it was in it. */
export function toggledInBasket(basket: readonly OfferItem[], item: OfferItem): readonly OfferItem[] {
  const rest = basket.filter(({ id }) => id !== item.id);
  return rest.length < basket.length ? rest : [...basket, item].slice(0, basketLimit);
}
