/**
 * The picture of the touchpoint's content: large on the idle screen, in the ring at the tap. If the touchpoint has no
 * content, the idle screen shows one of the partner's contents as an example.
 *
 * Invariants:
 * - It is the same element in both places, so that it moves from one to the other (outcome.css).
 * - It is present only if the content has a picture. A loop replaces it on the idle screen. If the stand enables the
 *   camera, there is no example.
 * - It shows no data of a visitor.
 */
import type { Link } from '../../link/link.ts';
import { ContentPicture } from '../content/content-picture.tsx';
import { screensFor } from '../state/purposes.ts';
import type { Snapshot } from '../state/runtime.ts';

/** The picture, if the view shows it. */
export function HeroPicture({ link, snapshot }: { readonly link: Link; readonly snapshot: Snapshot }) {
  const { view, stand, device } = snapshot;
  if (!device || !stand) return null;
  const { attract } = screensFor(device.purpose);
  const here = attract === 'content' ? stand.offer.here : null;
  const example = attract === 'activity' || stand.screen.camera ? null : stand.offer.first;
  const given = view.kind === 'captured' && here !== null && view.event.collected?.id === here.id;
  const atRest = view.kind === 'attract' && stand.attract.length === 0;
  const item = given || view.kind === 'reading' ? here : atRest ? (here ?? example) : null;
  if (!item?.picture) return null;
  return (
    <span className="hero-picture" data-place={given ? 'ring' : 'rest'} aria-hidden="true">
      <ContentPicture link={link} item={item} size="large" />
    </span>
  );
}
