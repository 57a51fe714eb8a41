/**
 * The contact details of visitors for the devices whose stand they visited. Lists show a device narrower records
 * (`narrowing.ts`).
 *
 * Invariants
 * - A device gets the details of visitors who tapped at its partner's stand, or with whom the partner has a connection
 *   at the platform. A device without a partner gets the details of its own taps, but not of its check-ins.
 * - An undone tap gives no details. After the partner forgot a person, there are none until their next tap.
 */
import type { CallingDevice } from '../keys/caller.ts';
import { basicText, type Doc, docOf } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import { markOf, type Place } from './forgotten.ts';

/** Kinds of facts that entitle a stand to the person's details. */
const GIVES_DETAILS = ['tap', 'checkin', 'collect', 'attach'] as const;

/** A requested visitor. */
type Asked = { readonly id: string; readonly codes: readonly string[]; readonly text: string };

/** The full records, as JSON text, of those requested visitors whose details this device may have. */
export async function contactsFor(
  store: Store,
  expoId: string,
  device: Pick<CallingDevice, 'id' | 'partnerId'>,
  visitors: readonly string[],
): Promise<readonly string[]> {
  const ids = visitors.filter((id) => !id.includes('\0'));
  if (ids.length === 0) return [];
  const rows = await store.db
    .selectFrom('record')
    .select(['id', 'expo_id', 'basic', 'revision'])
    .where('kind', '=', 'visitor')
    .where('id', 'in', ids)
    .where('deleted', '=', 0)
    .execute();
  const asked = rows
    .filter((row) => row.expo_id === expoId)
    .map((row): Asked => ({ id: row.id, codes: codesOf(docOf(row.basic)), text: basicText(row) }));
  if (asked.length === 0) return [];
  const { partnerId } = device;
  const met =
    partnerId === null
      ? await tappedAt(store, expoId, device.id, asked)
      : await metBy(store, { expoId, partnerId }, asked);
  return asked.filter(({ id }) => met.has(id)).map(({ text }) => text);
}

/** The codes of a visitor's badges, as devices send them: serial numbers in upper-case hex without separators. */
function codesOf({ badges, badgeId, badge, rfid }: Doc): readonly string[] {
  const listed = Array.isArray(badges) ? badges.map((one: Doc | null) => one?.code) : [];
  const codes = [...listed, badgeId, badge, rfid].filter((code) => typeof code === 'string' && code !== '');
  return (codes as string[]).flatMap((code) => {
    const plain = code.replace(/[:\- ]/g, '').toUpperCase();
    return /^(?:[0-9A-F]{2}){4,10}$/.test(plain) ? [plain, code] : [code];
  });
}

/** Facts that were not undone and have their content. */
function standingFacts({ db }: Store, expoId: string) {
  return db
    .selectFrom('relay_fact as fact')
    .where('fact.expo_id', '=', expoId)
    .where('fact.item', '<>', '')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('relay_fact as undo')
            .select('undo.id')
            .whereRef('undo.expo_id', '=', 'fact.expo_id')
            .whereRef('undo.undoes', '=', 'fact.id'),
        ),
      ),
    );
}

/** The visitors whom a partner met, by its facts here and by its connections upstream. */
async function metBy(store: Store, place: Place, asked: readonly Asked[]): Promise<ReadonlySet<string>> {
  const { expoId, partnerId } = place;
  const byVisitor = new Map(asked.map(({ id }) => [markOf('visitor', place, id), id]));
  const byBadge = new Map(
    asked.flatMap(({ id, codes }) => codes.map((code) => [markOf('badge', place, code), id] as const)),
  );
  const facts = standingFacts(store, expoId)
    .select(['fact.visitor_mark', 'fact.badge_mark'])
    .where('fact.partner_id', '=', partnerId)
    .where('fact.kind', 'in', GIVES_DETAILS);
  const named = await facts.where('fact.visitor_mark', 'in', [...byVisitor.keys()]).execute();
  const badged =
    byBadge.size === 0
      ? []
      : await facts
          .where('fact.badge_mark', 'in', [...byBadge.keys()])
          .where('fact.visitor_mark', 'is', null)
          .execute();
  const connected = await store.db
    .selectFrom('record')
    .select('visitor_id')
    .where('expo_id', '=', expoId)
    .where('kind', '=', 'connection')
    .where('visitor_id', 'in', [...byVisitor.values()])
    .where('partner_id', '=', partnerId)
    .where('deleted', '=', 0)
    .execute();
  const forgotten = await store.db
    .selectFrom('forgotten')
    .select('mark')
    .where('expo_id', '=', expoId)
    .where('partner_id', '=', partnerId)
    .where('mark', 'in', [...byVisitor.keys()])
    .execute();
  const gone = new Set(forgotten.map(({ mark }) => byVisitor.get(mark)));
  return new Set(
    [
      ...named.map(({ visitor_mark }) => byVisitor.get(visitor_mark ?? '')),
      ...badged.map(({ badge_mark }) => byBadge.get(badge_mark ?? '')),
      ...connected.map(({ visitor_id }) => visitor_id).filter((id) => !gone.has(id ?? '')),
    ].filter((id) => typeof id === 'string'),
  );
}

/**
 * The visitors who tapped at a device without a partner. Such facts have no pseudonym hashes, so their text is
 * searched.
 */
async function tappedAt(
  store: Store,
  expoId: string,
  device: string,
  asked: readonly Asked[],
): Promise<ReadonlySet<string>> {
  const rows = await standingFacts(store, expoId)
    .select('fact.item')
    .where('fact.device_id', '=', device)
    .where('fact.kind', '=', 'tap')
    .execute();
  const items = rows.map(
    ({ item }) => JSON.parse(item) as { readonly visitorID?: string; readonly badge?: string },
  );
  const visitors = new Set(items.map(({ visitorID }) => visitorID));
  const unnamed = new Set(items.filter(({ visitorID }) => visitorID === undefined).map(({ badge }) => badge));
  return new Set(
    asked
      .filter(({ id, codes }) => visitors.has(id) || codes.some((code) => unnamed.has(code)))
      .map(({ id }) => id),
  );
}
