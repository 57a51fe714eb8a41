/**
 * The picture of the touchpoint's content: large at rest, in the ring at the tap.
 *
 * Invariants: the same element in both places, so that it moves from one to the other (content-hero.css); present only if
 * the content has a picture and no loop plays; it shows nothing of a visitor.
 */
import type { Link } from '../../link/link.ts';
import { ContentPicture } from '../content/content-picture.tsx';
import { screensFor } from '../state/purposes.ts';
import type { Snapshot } from '../state/runtime.ts';

/** The picture, if the view is about it. */
export function HeroPicture({ link, snapshot }: { readonly link: Link; readonly snapshot: Snapshot }) {
  const { view, stand, device } = snapshot;
  const here = device && screensFor(device.purpose).attract === 'content' ? stand?.offer.here : null;
  const atRest = view.kind === 'attract' && stand?.attract.length === 0;
  const given = view.kind === 'captured' && view.event.collected?.id === here?.id;
  if (!here?.picture || !(atRest || view.kind === 'reading' || given)) return null;
  return (
    <span className="hero-picture" data-place={given ? 'ring' : 'rest'} aria-hidden="true">
      <ContentPicture link={link} item={here} size="large" />
    </span>
  );
}
