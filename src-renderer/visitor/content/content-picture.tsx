/**
 * The picture of a content, or a drawing instead.
 *
 * Invariants:
 * - If the picture is missing, loading or broken, a drawing takes its place.
 * - Few pictures stay in memory, and only for a short time.
 * - The picture is decorative, because the name beside it says what it shows.
 */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { OfferItem } from '../../../src-main/contract/stand.ts';
import type { Link } from '../../link/link.ts';
import { pictureTimes } from '../../times.ts';

/** The picture of `item`; `large` for a single card. */
export function ContentPicture({
  link,
  item,
  size,
}: {
  readonly link: Link;
  readonly item: OfferItem;
  readonly size: 'small' | 'large';
}) {
  const name = item.picture;
  const [broken, setBroken] = useState<string | null>(null);
  const { data } = useQuery({
    queryKey: ['offer.picture', size, name],
    enabled: name !== null,
    queryFn: () =>
      name === null
        ? null
        : link.call((client, signal) => client.offer.picture({ id: name, size }, { signal })),
    retry: false,
    gcTime: pictureTimes.kept,
    staleTime: ({ state }) => (state.data ? Number.POSITIVE_INFINITY : pictureTimes.askAgain),
  });
  if (!data || broken === data.address) return <Drawing item={item} />;
  return (
    <img
      className="content-picture"
      src={data.address}
      width={data.width}
      height={data.height}
      alt=""
      draggable={false}
      onError={() => setBroken(data.address)}
    />
  );
}

const tones = ['brand', 'captured', 'wait', 'again'] as const;

/** Interlocked rings in one of four tones, which depends on the content. */
function Drawing({ item }: { readonly item: OfferItem }) {
  const number = [...item.id].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0);
  const initial = [...item.name.trim()][0]?.toLocaleUpperCase() ?? '';
  return (
    <svg
      className="content-picture content-drawing"
      data-tone={tones[number % tones.length]}
      viewBox="0 0 320 200"
      preserveAspectRatio="xMidYMid slice"
      aria-hidden="true"
    >
      <rect className="drawing-ground" width="320" height="200" />
      <circle className="drawing-ring" cx={60 + (number % 5) * 50} cy="196" r="110" />
      <circle className="drawing-ring" cx={60 + (number % 5) * 50} cy="196" r="158" />
      <circle className="drawing-disc" cx="160" cy="100" r="48" />
      {item.kind === 'profile' ? (
        <path className="drawing-sign" d="M138 122v-40l22-12 22 12v40zM152 122v-18h16v18" />
      ) : (
        <text className="drawing-letter" x="160" y="103">
          {initial}
        </text>
      )}
    </svg>
  );
}
