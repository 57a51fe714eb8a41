/**
 * The partner's contents as cards, the profile first, then by name.
 *
 * Invariants:
 * - Cards are built from the mirror and cached until it changes, so that a list or search of hundreds is cheap.
 * - Texts may be missing until the detailed form arrives.
 * - A card refers to a picture only once the picture can be shown.
 */

import type { OfferItem } from '../../../contract/stand.ts';
import type { Mirror } from '../../event/mirror/mirror.ts';
import { contentQrText } from '../../foundations/api/path.ts';
import { foldForSearch, hiraganaOf } from '../../foundations/text/fold.ts';

/** A page of the offer. */
export type OfferPage = { readonly items: readonly OfferItem[]; readonly total: number };

export type Offer = {
  readonly list: (search: string, offset: number, limit: number) => OfferPage;
  readonly item: (content: string) => OfferItem | null;
  readonly count: () => number;
  /**
   * An example from the offer: a product with a picture, otherwise a product without a picture, otherwise the
   * profile. Null if the offer is empty.
   */
  readonly first: () => OfferItem | null;
  /** Addresses of the pictures of the contents, with the revision of the content. */
  readonly pictures: () => readonly { readonly address: string; readonly revision: string }[];
  /** Call it after a change of its sources. */
  readonly forget: () => void;
};

type OfferPorts = {
  readonly mirror: Mirror;
  /** Our own partner. Null while unknown. */
  readonly partner: () => string | null;
  /** Base URL of contents on a phone (the event's `discoverUrl`). Null while unknown. */
  readonly discoverUrl: () => string | null;
  readonly pictureName: (address: string | null) => string | null;
};

type Card = {
  readonly item: OfferItem;
  readonly folded: string;
  readonly image: string | null;
  readonly revision: string;
};

/** Maximum lengths of texts on a card in characters. Contents may be of any length. */
const LONGEST = { name: 200, summary: 500, description: 4_000 } as const;

/** The offer of the current partner. */
export function createOffer(ports: OfferPorts): Offer {
  const { mirror } = ports;
  let drawn: {
    readonly partner: string;
    readonly cards: readonly Card[];
    readonly byId: ReadonlyMap<string, Card>;
  } | null = null;

  const cards = (): NonNullable<typeof drawn> => {
    const partner = ports.partner() ?? '';
    if (drawn === null || drawn.partner !== partner) {
      const link = ports.discoverUrl();
      const partnerName = textOf(mirror.record('partners', partner)?.body.name, LONGEST.name) ?? '';
      const found = mirror.stand.contentsOf(partner).map(({ id, revision, body }) => {
        const fields = { ...mirror.stand.detail('contents', id)?.body, ...body };
        return cardOf(id, String(revision), fields, link, ports.pictureName, partnerName);
      });
      const sorted = found.toSorted(byKindAndName);
      drawn = { partner, cards: sorted, byId: new Map(sorted.map((card) => [card.item.id, card])) };
    }
    return drawn;
  };

  return {
    list: (search, offset, limit) => {
      const wanted = hiraganaOf(foldForSearch(search.trim()));
      const found =
        wanted === '' ? cards().cards : cards().cards.filter(({ folded }) => folded.includes(wanted));
      return { items: found.slice(offset, offset + limit).map(({ item }) => item), total: found.length };
    },
    item: (content) => cards().byId.get(content)?.item ?? null,
    count: () => cards().cards.length,
    first: () => {
      const all = cards().cards.map(({ item }) => item);
      const products = all.filter(({ kind }) => kind === 'product');
      return products.find(({ picture }) => picture !== null) ?? products[0] ?? all[0] ?? null;
    },
    pictures: () =>
      cards().cards.flatMap(({ image, revision }) => (image === null ? [] : [{ address: image, revision }])),
    forget: () => {
      drawn = null;
    },
  };
}

function cardOf(
  id: string,
  revision: string,
  fields: Readonly<Record<string, unknown>>,
  link: string | null,
  pictureName: OfferPorts['pictureName'],
  partnerName: string,
): Card {
  const image = textOf(fields.image, Number.MAX_SAFE_INTEGER);
  const item: OfferItem = {
    id,
    kind: fields.category === 'partner' ? 'profile' : 'product',
    name: textOf(fields.name, LONGEST.name) ?? textOf(fields.summary, LONGEST.name) ?? partnerName,
    summary: textOf(fields.summary, LONGEST.summary),
    description: textOf(fields.description, LONGEST.description),
    picture: pictureName(image),
    link: link === null ? null : contentQrText(link, id),
  };
  const said = [item.name, item.summary ?? '', item.description ?? ''].join(' ');
  const folded = hiraganaOf(foldForSearch(said));
  return { item, folded, image, revision };
}

function textOf(value: unknown, longest: number): string | null {
  const text = typeof value === 'string' ? withoutTags(value).trim() : '';
  return text === '' ? null : text.slice(0, longest);
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};

/** The text of an HTML fragment: scripts, styles and tags are removed, paragraphs become lines. Other text stays. */
function withoutTags(text: string): string {
  if (!/[<&]/.test(text)) return text;
  return text
    .replaceAll(/<(?:script|style)\b[^>]*>[\s\S]*?<\/(?:script|style)>/gi, '')
    .replaceAll(/<(?:br|\/p|\/div|\/li|\/h[1-6])\b[^>]*>/gi, '\n')
    .replaceAll(/<\/?[a-z][a-z0-9]*(?:\s[^<>]*)?\/?>/gi, '')
    .replaceAll(/&(amp|lt|gt|quot|apos|nbsp);/g, (_, name: string) => entities[name] ?? '')
    .replaceAll(/\n{3,}/g, '\n\n');
}

const names = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

function byKindAndName({ item: one }: Card, { item: other }: Card): number {
  return (
    Number(one.kind !== 'profile') - Number(other.kind !== 'profile') ||
    names.compare(one.name, other.name) ||
    (one.id < other.id ? -1 : 1)
  );
}
