/**
 * Which pictures the stand wants: the logo of its settings or of its partner, and those of the contents.
 *
 * Invariant: the logo comes first, for it is on every screen.
 */
import { statSync } from 'node:fs';
import type { Mirror } from '../../event/mirror/mirror.ts';
import type { WantedPicture } from '../../event/pictures/pictures.ts';
import type { DeviceAssignment } from '../device/assignment.ts';
import type { Offer } from './offer.ts';
import type { StandSettings } from './settings.ts';

export type StandPictures = {
  readonly logo: () => WantedPicture | null;
  /** All of them, the most wanted first. */
  readonly wanted: () => readonly WantedPicture[];
};

export type StandPicturesPorts = {
  readonly settings: Pick<StandSettings, 'brand'>;
  readonly mirror: Mirror;
  readonly assignment: () => DeviceAssignment | null;
  readonly offer: Offer;
};

/** The pictures of one stand. */
export function createStandPictures({
  settings,
  mirror,
  assignment,
  offer,
}: StandPicturesPorts): StandPictures {
  const logo = (): WantedPicture | null => {
    const own = settings.brand.logo;
    if (own !== null) {
      const isFile = !/^(https?|data):/i.test(own);
      return { address: own, revision: isFile ? stateOf(own) : 'settings', isFile };
    }
    const partner = assignment()?.partner ?? null;
    const detail = partner === null ? null : mirror.stand.detail('partners', partner);
    const address = detail?.body?.logo;
    if (detail === null || typeof address !== 'string' || address === '') return null;
    return { address, revision: String(detail.revision), isFile: false };
  };

  return {
    logo,
    wanted: () => {
      const first = logo();
      const contents = offer.pictures().map((picture) => ({ ...picture, isFile: false }));
      return first === null ? contents : [first, ...contents];
    },
  };
}

/** A file that was replaced is another picture. */
function stateOf(path: string): string {
  const state = statSync(path, { throwIfNoEntry: false });
  return state === undefined ? 'missing' : `${state.mtimeMs} ${state.size}`;
}
