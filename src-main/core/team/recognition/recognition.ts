/**
 * Reads a badge or a business card from a picture, which helper processes re-encode, read and compare with the people
 * of the event.
 *
 * Invariants:
 * - Nothing is recorded: the result is only a suggestion.
 * - Latin letters are read first. Then the other scripts in which people of the event have names are read in turn,
 *   until a name is found. They are read in a smaller picture, which is faster and misreads fewer large letters.
 * - Each script is compared together with the Latin lines only: what several scripts misread together looks like a
 *   page of text. The script with the best candidate decides.
 */
import type { Recognised } from '../../../contract/recognition.ts';
import type { DrawPicture } from '../../event/pictures/pictures.ts';
import { readBusinessCard } from './business-card.ts';
import { isPageOfText } from './match-people.ts';
import type { PeopleMatch, ReadPicture } from './read-line.ts';

export type Recognise = (picture: Uint8Array | null) => Promise<Recognised>;

type RecognitionPorts = {
  readonly draw: DrawPicture;
  readonly readPicture: ReadPicture;
  /** Path of the mirror. */
  readonly mirror: string;
  /** Whether the mirror has every visitor of the event. */
  readonly isComplete: () => boolean;
};

/** Longest side in pixels of the picture in which other scripts are read. */
const SMALL_SIDE = 1_000;
/** At this confidence or above, no other script is tried. */
const CERTAIN = 0.8;

/** Recognition on one device. */
export function createRecognition({ draw, readPicture, mirror, isComplete }: RecognitionPorts): Recognise {
  return async (picture) => {
    if (picture === null) return { kind: 'refused', reason: 'lost' };
    const drawn = await draw(picture, SMALL_SIDE);
    if (typeof drawn === 'string') return { kind: 'refused', reason: 'notPicture' };
    const latin = await readPicture({ source: drawn.large.bytes, script: 'latin', beside: [], mirror });
    if (latin === 'unavailable') return { kind: 'refused', reason: 'unavailable' };
    const { lines } = latin;
    const card = readBusinessCard(lines);
    let best = latin.match;
    for (const script of latin.match.scripts) {
      if (scoreOf(best) >= CERTAIN || isPageOfText(lines)) break;
      // The company may be written in Latin letters.
      const read = await readPicture({ source: drawn.small.bytes, script, beside: lines, mirror });
      if (read === 'unavailable') break;
      if (scoreOf(read.match) >= scoreOf(best)) best = read.match;
    }
    const { candidates, named } = best;
    const names = named === 'all' && !isComplete() ? 'some' : named;
    return { kind: 'read', candidates: [...candidates], card, names };
  };
}

/** The score of the best candidate; 0 without one. */
function scoreOf({ candidates: [first] }: PeopleMatch): number {
  return first?.score ?? 0;
}
