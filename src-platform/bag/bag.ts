/**
 * The page behind a visitor's QR code: the contents that the visitor collected with one tap, without an account.
 *
 * Invariants
 * - The page shows contents only: no visitor, no badge, no time, no notes of the stand.
 * - The address names a tap by its id, which has 74 random bits. The page shows the contents of that tap only.
 * - Contents that were returned, undone taps and deleted visitors are not shown.
 * - After the event the page answers 410.
 * - An unknown address may belong to a tap that has not arrived yet. The page says so and reloads by itself.
 */
import type { FastifyInstance } from 'fastify';
import { readJson } from '../store/json.ts';
import { type Doc, findRecord, findRecords, isThere } from '../store/records.ts';
import type { FactTable } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import { type BagContent, renderBag, renderNotice } from './page.ts';
import { wordsFor } from './words.ts';

/** The path of the pages below the public address of the platform. */
const PATH = '/bag';

const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src https: http: data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const TAP_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The base address of the pages of an event: a page is `{base}/{id of the tap}`. */
export function bagUrlOf(publicUrl: string, expoId: string): string {
  return `${publicUrl}${PATH}/${encodeURIComponent(expoId)}`;
}

/** Adds the pages to a server. */
export function addBagPages(app: FastifyInstance, store: Store, now: () => Date): void {
  app.get<{ Params: { readonly expo: string; readonly tap: string } }>(
    `${PATH}/:expo/:tap`,
    async ({ params, headers }, reply) => {
      reply
        .type('text/html; charset=utf-8')
        .header('content-security-policy', POLICY)
        .header('referrer-policy', 'no-referrer')
        .header('x-robots-tag', 'noindex')
        .header('x-content-type-options', 'nosniff')
        .header('cache-control', 'no-store');
      const words = wordsFor(headers['accept-language']);
      const found = await findBag(store, params.expo, params.tap, now());
      switch (found.kind) {
        case 'bag':
          return reply.send(renderBag(words, found.event, found.contents));
        case 'over':
          return reply.code(410).send(renderNotice(words, words.over, false));
        case 'gone':
          return reply.code(410).send(renderNotice(words, words.gone, false));
        case 'unknown':
          return reply.code(404).send(renderNotice(words, words.onItsWay, true));
      }
    },
  );
}

type Bag =
  | { readonly kind: 'bag'; readonly event: string; readonly contents: readonly BagContent[] }
  /**
   * Why there is nothing to show. `over`: the event has ended. `gone`: the tap was undone, its visitor was deleted, or
   * no content belongs to it. `unknown`: the tap has not arrived.
   */
  | { readonly kind: 'over' | 'gone' | 'unknown' };

async function findBag({ db }: Store, expoId: string, tapId: string, now: Date): Promise<Bag> {
  if (!TAP_ID.test(tapId)) return { kind: 'unknown' };
  const expo = await findRecord(db, 'expo', expoId, expoId);
  if (expo === undefined) return { kind: 'unknown' };
  if (Date.parse(String(expo.doc.end)) < now.getTime()) return { kind: 'over' };
  const tap = await db
    .selectFrom('fact')
    .selectAll()
    .where('expo_id', '=', expoId)
    .where('id', '=', tapId)
    .executeTakeFirst();
  if (tap === undefined) return { kind: 'unknown' };
  const { visitor_id: visitor } = tap;
  const isHere = visitor === null || (await isThere(db, 'visitor', expoId, visitor));
  const taken = Number(tap.undone) === 0 && isHere ? await takenWith(db, tap) : [];
  if (taken.length === 0) return { kind: 'gone' };
  const records = await findRecords(db, 'content', expoId, taken);
  const docs = new Map(records.filter(({ deleted }) => !deleted).map(({ id, doc }) => [id, doc]));
  const { name, discoverUrl } = expo.doc;
  return {
    kind: 'bag',
    event: String(name),
    contents: taken.flatMap((id) => {
      const doc = docs.get(id);
      return doc === undefined
        ? []
        : [contentOf(doc, `${String(discoverUrl).replace(/\/+$/, '')}/c/${encodeURIComponent(id)}`)];
    }),
  };
}

/** Ids of the contents that were collected with `tap` and not returned, in order of time. */
async function takenWith(db: Store['db'], tap: FactTable): Promise<readonly string[]> {
  const { expo_id: expoId, visitor_id: visitor, badge, id } = tap;
  if (visitor === null && badge === null) return [];
  const collects = db
    .selectFrom('fact')
    .selectAll()
    .where('expo_id', '=', expoId)
    .where('kind', '=', 'collect')
    .where('undone', '=', 0)
    .where('content_id', 'is not', null);
  const rows = await (visitor === null
    ? collects.where('visitor_id', 'is', null).where('badge', '=', badge)
    : collects.where('visitor_id', '=', visitor)
  )
    .orderBy('at')
    .orderBy('seq')
    .execute();
  const ofTap = rows.filter((row) => tapOf(row) === id || isTakenByTap(row, tap));
  return [...new Set(ofTap.flatMap(({ content_id: content }) => (content === null ? [] : [content])))];
}

/** The tap to which a collected content belongs. */
function tapOf({ fields }: FactTable): unknown {
  return fields === null ? undefined : (readJson(fields) as Doc).bag;
}

/** Whether `row` is the touchpoint's own content, which the tap itself collected. It is the device's next fact. */
function isTakenByTap(row: FactTable, tap: FactTable): boolean {
  return (
    tapOf(row) === undefined &&
    row.touchpoint_id === tap.touchpoint_id &&
    row.badge === tap.badge &&
    BigInt(row.seq) === BigInt(tap.seq) + 1n
  );
}

function contentOf(doc: Doc, discoverAddress: string): BagContent {
  return {
    name: textOf(doc.name) ?? textOf(doc.summary) ?? String(doc.id),
    summary: textOf(doc.summary),
    picture: webAddressOf(doc.image),
    link: webAddressOf(doc.url) ?? discoverAddress,
  };
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}

function webAddressOf(value: unknown): string | null {
  return typeof value === 'string' && /^https?:\/\//i.test(value) && URL.canParse(value) ? value : null;
}
