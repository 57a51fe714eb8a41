/**
 * The partner's logo where the stand has one, otherwise the first letter of its name.
 *
 * Invariants: whatever the picture is (huge, very wide, very tall, see-through, white, broken), its place keeps its
 * height and at most its greatest width, so nothing moves; a light logo stands on dark ground, any other on light.
 */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Picture } from '../../../src-main/contract/stand.ts';
import type { Link } from '../../link/link.ts';
import { pictureTimes } from '../../times.ts';

/** The picture named `id`, once it is here; null without one. Asked for again while the device has none yet. */
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

/** The tile beside the partner's `name`. */
export function BrandTile({ name, logo }: { readonly name: string; readonly logo: Picture | null }) {
  const [ground, setGround] = useState<{ readonly of: string; readonly is: Ground | 'broken' } | null>(null);
  const known = logo && ground?.of === logo.address ? ground.is : null;
  const letter = [...name.trim()][0]?.toLocaleUpperCase() ?? '';
  if (!logo || known === 'broken') {
    return (
      <span className="brand-tile" aria-hidden="true">
        {letter}
      </span>
    );
  }
  return (
    <span className="brand-logo" data-ground={known ?? 'waiting'} aria-hidden="true">
      <img
        src={logo.address}
        alt=""
        onLoad={({ currentTarget }) => setGround({ of: logo.address, is: groundFor(currentTarget) })}
        onError={() => setGround({ of: logo.address, is: 'broken' })}
      />
    </span>
  );
}

type Ground = 'light' | 'dark';

/** The ground on which `image` can be seen: dark for what is nearly white where it is not see-through. */
function groundFor(image: HTMLImageElement): Ground | 'broken' {
  if (image.naturalWidth === 0) return 'broken';
  const canvas = document.createElement('canvas');
  canvas.width = 32;
  canvas.height = 32;
  const drawing = canvas.getContext('2d');
  if (!drawing) return 'light';
  drawing.drawImage(image, 0, 0, canvas.width, canvas.height);
  const { data } = drawing.getImageData(0, 0, canvas.width, canvas.height);
  let light = 0;
  let seen = 0;
  for (let at = 0; at < data.length; at += 4) {
    const [red = 0, green = 0, blue = 0, alpha = 0] = data.subarray(at, at + 4);
    seen += alpha;
    light += alpha * (0.2126 * red + 0.7152 * green + 0.0722 * blue);
  }
  const solid = seen > 250 * canvas.width * canvas.height;
  return !solid && seen > 0 && light / seen > 190 ? 'dark' : 'light';
}
