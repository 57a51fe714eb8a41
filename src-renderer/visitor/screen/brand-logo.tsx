/**
 * The partner's logo, or the first letter of its name, and the name.
 *
 * Invariants:
 * - With any picture (huge, very wide, very tall, transparent, white, broken) the logo's place keeps its height and
 *   its maximum width, so nothing moves.
 * - A logo gets a background plate only if it would be invisible on the page's paper.
 */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Picture } from '../../../src-main/contract/stand.ts';
import type { Link } from '../../link/link.ts';
import { pictureTimes } from '../../times.ts';

/** The picture named `id` once it is loaded; null until then. Requested again while the device has none yet. */
export function useLogo(link: Link, id: string | null): Picture | null {
  const { data } = useQuery({
    queryKey: ['logo', id],
    enabled: id !== null,
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) => (state.data ? false : pictureTimes.askAgainForLogo),
    queryFn: () =>
      link.call((client, signal) => client.offer.picture({ id: id ?? '', size: 'small' }, { signal })),
  });
  return id === null ? null : (data ?? null);
}

/** If the ratio of width to height is at least this, the logo is a written name. */
const wideFrom = 2;

/** Logo and `name`; beside a wide logo the name is only for screen readers. */
export function BrandSign({ name, logo }: { readonly name: string; readonly logo: Picture | null }) {
  const [ground, setGround] = useState<{ readonly of: string; readonly is: Ground | 'broken' } | null>(null);
  const known = logo && ground?.of === logo.address ? ground.is : null;
  const letter = [...name.trim()][0]?.toLocaleUpperCase() ?? '';
  const drawn = known === 'broken' ? null : logo;
  const wide = drawn !== null && drawn.width >= wideFrom * drawn.height;
  return (
    <>
      {drawn ? (
        <span className="brand-logo" data-ground={known ?? 'waiting'} data-wide={wide} aria-hidden="true">
          <img
            src={drawn.address}
            alt=""
            onLoad={({ currentTarget }) => setGround({ of: drawn.address, is: groundFor(currentTarget) })}
            onError={() => setGround({ of: drawn.address, is: 'broken' })}
          />
        </span>
      ) : (
        <span className="brand-tile" aria-hidden="true">
          {letter}
        </span>
      )}
      <bdi className={wide ? 'only-heard' : 'brand-name'}>{name}</bdi>
    </>
  );
}

/** The backgrounds on which a logo is visible: any, only light, or only dark. */
type Ground = 'any' | 'light' | 'dark';

/** A background is unsuitable if at least this share of the picture would be invisible on it. */
const lossFrom = 0.1;

/** The background that `image` needs. An opaque image brings its own. */
function groundFor(image: HTMLImageElement): Ground | 'broken' {
  if (image.naturalWidth === 0) return 'broken';
  const canvas = document.createElement('canvas');
  canvas.width = 32;
  canvas.height = 32;
  const drawing = canvas.getContext('2d');
  if (!drawing) return 'light';
  drawing.drawImage(image, 0, 0, canvas.width, canvas.height);
  const { data } = drawing.getImageData(0, 0, canvas.width, canvas.height);
  let [seen, pale, deep] = [0, 0, 0];
  for (let at = 0; at < data.length; at += 4) {
    const [red = 0, green = 0, blue = 0, alpha = 0] = data.subarray(at, at + 4);
    const light = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    seen += alpha;
    if (light > 190) pale += alpha;
    if (light < 90) deep += alpha;
  }
  if (seen > 250 * canvas.width * canvas.height || Math.max(pale, deep) < lossFrom * seen) return 'any';
  return pale > deep ? 'dark' : 'light';
}
