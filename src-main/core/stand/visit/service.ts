/**
 * What screens may ask of the stand: what it offers, and what a visitor adds to a tap. The router's view of this folder.
 *
 * Invariant: types only; who answers stands in `stand.ts`, `offer.ts`, `tap-sessions.ts` and `emails.ts`.
 */
import type { Purpose, TouchpointChoice } from '../../../contract/device.ts';
import type { Answer, OfferItem, Picture, Stand } from '../../../contract/stand.ts';

/** A page of the offer. */
export type OfferPage = { readonly items: readonly OfferItem[]; readonly total: number };

export type StandService = {
  /** The stand as it is now. */
  readonly stand: () => Stand;
  readonly offer: (search: string, offset: number, limit: number) => OfferPage;
  readonly picture: (id: string, size: 'small' | 'large') => Promise<Picture | null>;
  /** Each of these is true only after the commit returned. */
  readonly consent: (factId: string, language: string, agreed: Readonly<Record<string, boolean>>) => boolean;
  readonly answer: (factId: string, language: string, question: string, answer: Answer) => boolean;
  readonly skip: (factId: string, question: string) => boolean;
  readonly collect: (factId: string, content: string, take: boolean) => boolean;
  readonly email: (factId: string) => Promise<'sent' | 'queued' | 'impossible'>;
  readonly end: (factId: string) => boolean;
  /** Touchpoints this device could be. */
  readonly touchpoints: () => readonly TouchpointChoice[];
  /** False unless nobody said which one it is. */
  readonly choose: (touchpoint: string) => boolean;
  /** False outside the demo event. */
  readonly reassign: (purpose: Purpose) => boolean;
};
