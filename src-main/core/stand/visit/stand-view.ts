/**
 * The stand as a screen is shown it, drawn from settings, mirror and journal as they are now.
 *
 * Invariant: nothing in it is about a visitor.
 */
import type { Stand } from '../../../contract/stand.ts';
import type { Pictures } from '../../event/pictures/pictures.ts';
import type { DeviceAssignment } from '../device/assignment.ts';
import { PURPOSES } from '../device/purposes.ts';
import type { AdmissionControl } from './admission.ts';
import type { Offer } from './offer.ts';
import type { StandSettings } from './settings.ts';
import type { StandPictures } from './stand-pictures.ts';

export type StandViewParts = {
  readonly settings: StandSettings;
  readonly assignment: () => DeviceAssignment | null;
  readonly offer: Offer;
  readonly admission: AdmissionControl;
  readonly pictures: Pictures;
  readonly standPictures: StandPictures;
  /** What the attract loop shows. */
  readonly attract: () => Stand['attract'];
};

/** The stand as it is now. */
export function drawStand(parts: StandViewParts): Stand {
  const { settings, offer } = parts;
  const here = parts.assignment();
  // Consents and answers belong to a partner; see `pending-prompts.ts`.
  const isOfPartner = here === null || here.touchpoint === null || here.partner !== null;
  const checksIn = here !== null && PURPOSES[here.purpose].checksIn;
  const asks = isOfPartner && (settings.door.asks || !checksIn);
  const logo = parts.standPictures.logo();
  return {
    headline: settings.headline,
    notice: settings.notice,
    consents: asks ? settings.consents : [],
    questions: asks ? settings.questions : [],
    offer: {
      count: offer.count(),
      here: here?.content == null ? null : offer.item(here.content),
      first: checksIn ? null : offer.first(),
    },
    email: settings.email,
    activity: checksIn ? parts.admission.activity(here) : null,
    brand: { colour: settings.brand.colour, logo: parts.pictures.nameOf(logo?.address ?? null) },
    attract: parts.attract(),
    screen: settings.screen,
  };
}
