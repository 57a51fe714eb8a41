/**
 * Destinations for the stand team: connect, map, preview, send, decide, remove.
 *
 * Invariants:
 * - Staff see only destinations and leads of the current partner (docs/laws.md#law-14). A destination of another
 *   partner sends nothing.
 * - Nothing is sent before staff have chosen when to send.
 * - A token is sent to its destination only, and is not stored longer than the destination.
 * - The names of a partner's destinations differ. An account is refused if this device can tell that it is connected.
 */
import type {
  Connected,
  Destination,
  DestinationKindName,
  DestinationPause,
  DestinationSettings,
  MappingFault,
  PlannedPush,
  PushReason,
  SettingsChange,
} from '../../../contract/destinations.ts';
import { pushReasonSchema } from '../../../contract/destinations.ts';
import type { Pause } from '../../../contract/device.ts';
import type { ErasureProtocol } from '../../../contract/erasure.ts';
import type { LeadFilter } from '../../../contract/leads.ts';
import { ApiError } from '../../foundations/api/error-class.ts';
import type { SendWebRequest } from '../../foundations/api/web-request.ts';
import type { Clock, Log, Random } from '../../foundations/ports.ts';
import { storageFault } from '../../foundations/store/database.ts';
import { keepRunning } from '../../foundations/time/loops.ts';
import { NOT_KNOWN_YET } from '../../journal/facts/lead-projection.ts';
import type { OutboxState } from '../../journal/facts/transitions.ts';
import { type Concerns, PASSES_BY_ITSELF } from '../../stand/health/health.ts';
import type { CrmSetting } from '../formats/crm-csv.ts';
import { consentTo, type ExportLead } from '../formats/export-lead.ts';
import { createWallClock } from '../formats/wall-clock.ts';
import {
  type Access,
  beginAuthorization,
  createAccess,
  type Secret,
  type SecretKeeper,
  type SecretStore,
} from './access.ts';
import type { Adapter, Property } from './adapter.ts';
import { faultAtHub, type HubDestinations } from './hub-access.ts';
import { addressOf, isToken, KINDS } from './kinds.ts';
import { awaitRedirect, REDIRECT_PORT } from './loopback.ts';
import { createOwners } from './owners.ts';
import {
  fieldsByProperty,
  fieldsOf,
  isLastWritten,
  mappingFaultOf,
  planOf,
  repairedMapping,
  targetsOf,
  valuesOf,
} from './plan.ts';
import { createPusher, type Looked, type Pusher, type PusherPorts } from './pusher.ts';
import {
  createDestinationStore,
  type DestinationRow,
  hashOf,
  type OpenedDestinations,
  type Position,
} from './store.ts';

const FIRST_SETTINGS: DestinationSettings = {
  when: { kind: 'hand' },
  needsConsent: true,
  notBefore: null,
  mapping: {},
};

const MOST_PLANNED = 200;
const MOST_CONFLICTS = 50;
const MOST_PARKED = 200;
/** Maximum number of leads that one answer compares, because reading a lead takes time. */
const MOST_COMPARED = 40;
const PREVIEWED = 3;

export type DestinationPorts = {
  readonly file: OpenedDestinations;
  readonly secrets: SecretStore;
  /** The destinations whose token is at the hub. */
  readonly hub: HubDestinations;
  readonly send: SendWebRequest;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly newId: () => string;
  /** Partner id as the journal uses it. */
  readonly partner: () => string;
  readonly changed: (partner: string, after: Position) => ReturnType<PusherPorts['changed']>;
  /** Whether a lead, or a part of it, changed after the position `after`. */
  readonly isChanged: (lead: string, after: Position) => boolean;
  /** A lead of a partner, or null. */
  readonly lead: (partner: string, id: string) => ExportLead | null;
  /** The address of the member of the team who owns a lead, or null. */
  readonly ownerOf: (lead: ExportLead) => string | null;
  /** The id of a partner's lead at every destination: the same on each of the partner's devices. */
  readonly externalId: (partner: string, lead: string) => string;
  readonly setting: () => Omit<CrmSetting, 'clock'> & { readonly timezone: string };
  /** Ids of the leads that match, page by page. */
  readonly page: (
    filter: LeadFilter,
    after: string | null,
  ) => Promise<{ readonly ids: readonly string[]; readonly next: string | null }>;
  /** Whether a lead was erased. */
  readonly isErased: (lead: string) => boolean;
  readonly redirectPort?: number;
};

export type DestinationService = ReturnType<typeof createDestinationService>;

type Open = {
  readonly pusher: Pusher;
  readonly adapter: Adapter;
  readonly access: Access;
  /** The error status of the last answer, or `slow` if no answer came in time. Otherwise null. */
  readonly trouble: () => Trouble | null;
};

type Trouble = Exclude<DestinationPause, string> | 'slow';

/** Whether a named pause ends without a change by staff. */
const PASSES: Readonly<Record<Extract<DestinationPause, string>, boolean>> = {
  ...PASSES_BY_ITSELF,
  slow: true,
  hubAway: true,
  hubRefuses: false,
  notOffered: false,
};

/** The destinations of one device. */
export function createDestinationService(ports: DestinationPorts) {
  const { clock, random, log, secrets, send, partner } = ports;
  const store = createDestinationStore(ports.file.database);
  // A crash while staff connected a destination, or a lost file of destinations, leaves tokens behind.
  const orphans = secrets.keepOnly(store.all().map(({ id }) => id));
  if (orphans > 0) log.warn('tokens without a destination were deleted', { count: orphans });
  const { origin } = ports.file;
  if (origin === 'replaced' || (origin === 'new' && orphans > 0)) {
    log.error(
      'destinations.db was damaged or deleted: its destinations are lost and must be connected again',
    );
    store.lose(clock.now());
  }
  const open = new Map<string, Open>();
  const ended = new AbortController();
  let running = false;
  let authorizing = new AbortController();
  let authorized: Connected | null = null;
  const loops = new Set<Promise<void>>();

  const rows = (): readonly DestinationRow[] => store.all().filter((row) => row.partner === partner());
  const rowOf = (id: string): DestinationRow | null => rows().find((row) => row.id === id) ?? null;
  const crmSetting = (): CrmSetting => {
    const { timezone, ...setting } = ports.setting();
    return { ...setting, clock: createWallClock(timezone) };
  };
  /** A name that no other destination of the partner has: as wanted, or with its host or a number. */
  const freeName = (
    { id, partner: of, address }: Pick<DestinationRow, 'id' | 'partner' | 'address'>,
    wanted: string,
  ): string => {
    const others = store.all().filter((row) => row.id !== id && row.partner === of);
    const hostOf = (text: string): string => new URL(text).host;
    const isFree = (name: string): boolean => !others.some((row) => isSameName(row.name, name));
    const host = hostOf(address);
    const tells = others.every((row) => hostOf(row.address) !== host) && !wanted.includes(host);
    const names = [wanted, ...(tells ? [`${wanted} (${host})`] : [])];
    for (let number = 2; number <= others.length + 2; number += 1) names.push(`${wanted} ${number}`);
    return names.find(isFree) ?? id;
  };
  /**
   * Whether a destination of the partner has this account. At Salesforce the address is that of one organisation. A hub
   * keeps the address of a webhook to itself.
   */
  const isConnected = async (row: DestinationRow, secret: Secret | null): Promise<boolean> => {
    const others = rows().filter(({ kind, address }) => kind === row.kind && address === row.address);
    if (row.kind === 'salesforce') return others.length > 0;
    const here = row.hubId === null ? others.filter(({ hubId }) => hubId === null) : [];
    if (row.kind === 'webhook') return here.length > 0;
    const kept = await Promise.all(here.map(({ id }) => secrets.read(id)));
    return kept.some((text) => text !== null && (JSON.parse(text) as Secret).token === secret?.token);
  };
  const mapped = (lead: ExportLead, { kind, settings }: DestinationRow) =>
    fieldsOf(KINDS[kind], settings.mapping, lead, crmSetting(), ports.ownerOf(lead));

  const isTime = ({ settings: { notBefore } }: DestinationRow): boolean =>
    notBefore === null || createWallClock(ports.setting().timezone).time(clock.now()).slice(11) >= notBefore;

  const connectTo = (row: DestinationRow, keeper: SecretKeeper = secrets): Open => {
    const access =
      row.hubId === null
        ? createAccess({ id: row.id, isWebhook: row.kind === 'webhook', send, secrets: keeper, clock })
        : ports.hub.access(row.hubId, row.address);
    let trouble: Trouble | null = null;
    const ask: SendWebRequest = async (outgoing, signal) => {
      try {
        const answer = await access.ask(outgoing, signal);
        trouble = answer.status < 300 ? null : { status: answer.status };
        return answer;
      } catch (error) {
        trouble = error instanceof ApiError && SLOW.has(error.cause) ? 'slow' : null;
        throw error;
      }
    };
    const adapter = KINDS[row.kind].connect({ ask, clock, address: row.address });
    const pusher = createPusher({
      store,
      adapter,
      owners: createOwners(adapter, KINDS[row.kind].owner, clock),
      clock,
      random,
      log,
      destination: () => store.all().find(({ id }) => id === row.id) ?? null,
      changed: (after) => ports.changed(row.partner, after),
      lead: (id) => ports.lead(row.partner, id),
      valuesOf: (lead, destination) => valuesOf(mapped(lead, destination)),
      isChosen,
      isTime: (destination) => row.partner === partner() && isTime(destination),
      externalId: (lead) => ports.externalId(row.partner, lead),
    });
    return { pusher, adapter, access, trouble: () => trouble };
  };
  const openOf = (row: DestinationRow): Open => {
    const known = open.get(row.id);
    if (known !== undefined) return known;
    const opened = connectTo(row);
    open.set(row.id, opened);
    return opened;
  };
  const runOne = (row: DestinationRow): void => {
    const { pusher } = openOf(row);
    const loop = keepRunning(
      { clock, random },
      pusher.run,
      (error) =>
        log.error('a destination failed and restarts', {
          kind: error instanceof Error ? error.name : 'unknown',
        }),
      ended.signal,
    ).finally(() => loops.delete(loop));
    loops.add(loop);
  };

  /** Tests an access. Returns why it does not work, or null. The hub prepares its own destinations. */
  const faultAt = (opened: Open, prepares: boolean): Promise<DestinationPause | null> =>
    pauseAt(opened, async () => {
      if (prepares) await opened.adapter.prepare(ended.signal);
      await opened.adapter.properties(ended.signal);
    });

  /** Tests the access, then stores the destination. `secret` is null if the hub has it. */
  const add = async (
    row: Omit<DestinationRow, 'settings' | 'read'>,
    secret: Secret | null,
  ): Promise<Connected> => {
    if (secret !== null) secrets.hide(secret.token);
    // Otherwise, once the partner is known, the destination would belong to no partner and stay invisible.
    if (row.partner === NOT_KNOWN_YET) return { kind: 'refused', pause: 'noEvent' } as const;
    if (secret !== null && !(await secrets.keep(row.id, JSON.stringify(secret))))
      return { kind: 'failed', reason: 'failing' } as const;
    const full: DestinationRow = {
      ...row,
      name: freeName(row, row.name),
      settings: FIRST_SETTINGS,
      read: { seq: 0, number: 0 },
    };
    const opened = connectTo(full);
    let isStored = false;
    try {
      if (await isConnected(full, secret)) return { kind: 'refused', pause: 'connectedBefore' } as const;
      const pause = await faultAt(opened, secret !== null);
      if (pause !== null) return { kind: 'refused', pause } as const;
      store.create(full);
      isStored = true;
    } catch (error) {
      const reason = storageFault(error);
      if (reason === null) throw error;
      return { kind: 'failed', reason } as const;
    } finally {
      if (secret !== null && !isStored) await secrets.forget(row.id);
    }
    open.set(row.id, opened);
    if (running) runOne(full);
    return { kind: 'connected', id: row.id } as const;
  };

  /** Tests a new secret of a destination, then stores it. The old one stays if the new one is refused. */
  const replace = async (row: DestinationRow, secret: Secret): Promise<Connected> => {
    secrets.hide(secret.token);
    const tried = connectTo(row, {
      keep: () => Promise.resolve(true),
      read: () => Promise.resolve(JSON.stringify(secret)),
      forget: () => Promise.resolve(),
      hide: secrets.hide,
    });
    const pause = await faultAt(tried, true);
    if (pause !== null) return { kind: 'refused', pause };
    const { access, pusher } = openOf(row);
    if (!(await access.replace(secret))) return { kind: 'failed', reason: 'failing' };
    pusher.retry();
    return { kind: 'connected', id: row.id };
  };

  const allIds = async (filter: LeadFilter, most: number): Promise<readonly string[]> => {
    const ids: string[] = [];
    let after: string | null = null;
    do {
      const page: Awaited<ReturnType<DestinationPorts['page']>> = await ports.page(filter, after);
      ids.push(...page.ids);
      after = page.next;
    } while (after !== null && ids.length < most);
    return ids;
  };

  const lookAt = async (row: DestinationRow, leads: readonly string[]) => {
    const { pusher, adapter } = openOf(row);
    const looked = new Map<string, Looked>();
    for (let from = 0; from < leads.length; from += adapter.batch) {
      const part = await pusher.look(leads.slice(from, from + adapter.batch), ended.signal);
      for (const [lead, one] of part) looked.set(lead, one);
      // If no lookup needs a request, the loop would otherwise delay taps.
      await new Promise(setImmediate);
    }
    return looked;
  };

  const pauseAtPresent = (row: DestinationRow): DestinationPause | null =>
    pauseNow(openOf(row), openOf(row).pusher.pause());
  const waitsUntil = (row: DestinationRow): string | null => (isTime(row) ? null : row.settings.notBefore);

  /**
   * Leads by state. A changed lead counts as due, even before its change is examined: the change may still be undone, or
   * a request is under way.
   */
  const countsOf = (row: DestinationRow): Destination['counts'] => {
    const counts = { ...store.counts(row.id) };
    const { leads, held } = ports.changed(row.partner, row.read);
    for (const lead of [...new Set([...leads, ...held])].slice(0, MOST_COMPARED)) {
      if (!openOf(row).pusher.isNew(lead)) continue;
      const before = store.latest(row.id, lead);
      if (before !== null) counts[before.state] -= 1;
      counts.due += 1;
    }
    return counts;
  };
  /** The state of a lead, or null if it was neither chosen nor left out. */
  const stateOf = (
    row: DestinationRow,
    lead: string,
  ): {
    readonly state: OutboxState | 'notSent';
    readonly reason: PushReason | 'noConsent' | null;
    readonly why: string | null;
  } | null => {
    const waits = { state: 'due', reason: null, why: null } as const;
    if (ports.isChanged(lead, row.read) && openOf(row).pusher.isNew(lead)) return waits;
    const latest = store.latest(row.id, lead);
    if (latest === null) {
      const one = ports.lead(row.partner, lead);
      if (one === null || one.takenBack || !row.settings.needsConsent || agreed(one)) return null;
      return { state: 'notSent', reason: 'noConsent', why: null };
    }
    const { state, reason, why } = latest;
    // An error is an answer, so the lead waits for the next attempt.
    if (state === 'uncertain' && reason === 'answered') return waits;
    return { state, reason: state === 'parked' ? reasonOf(reason) : null, why };
  };

  return {
    list: (): Destination[] =>
      rows().map((row) => {
        const pause = pauseAtPresent(row);
        return {
          id: row.id,
          kind: row.kind,
          name: row.name,
          host: new URL(row.address).host,
          settings: row.settings,
          counts: countsOf(row),
          refused: store.countRefused(row.id),
          erasures: store.countErasures(row.id),
          conflicts: store.countConflicts(row.id),
          pause,
          isBroken: isBroken(pause),
          waitsUntil: waitsUntil(row),
          atHub: row.hubId !== null,
          scopes: [...KINDS[row.kind].scopes],
          fields: fieldsByProperty(KINDS[row.kind], row.settings.mapping, crmSetting()),
          readsBack: openOf(row).adapter.look !== undefined,
        };
      }),

    /** Whether the destinations of this device were lost, and none was connected since. */
    lost: store.isLost,

    connect: async (input: {
      readonly kind: DestinationKindName;
      readonly name: string;
      readonly address: string;
      readonly token: string;
    }) => {
      const address = addressOf(input.kind, input.address);
      if (address === null) return { kind: 'refused', pause: 'address' } as const;
      const { kind, name } = input;
      const token = input.token.trim();
      if (!isToken(kind, token)) return { kind: 'refused', pause: 'secret' } as const;
      const row = { id: ports.newId(), partner: partner(), kind, name, address, hubId: null };
      return await add(row, { kind: 'token', token });
    },

    rename: (id: string, name: string): { readonly kept: boolean } => {
      const others = rows().filter((row) => row.id !== id);
      if (rowOf(id) === null || others.some((row) => isSameName(row.name, name))) return { kept: false };
      store.rename(id, name);
      return { kept: true };
    },

    replaceToken: async (id: string, token: string): Promise<Connected> => {
      const row = rowOf(id);
      if (row === null || row.hubId !== null) return { kind: 'refused', pause: 'keyMissing' };
      if (!isToken(row.kind, token.trim())) return { kind: 'refused', pause: 'secret' };
      return await replace(row, { kind: 'token', token: token.trim() });
    },

    offered: async () => {
      try {
        const connected = new Set(rows().map(({ hubId }) => hubId));
        const all = await ports.hub.offers(ended.signal);
        const offers = all.filter(({ id }) => !connected.has(id));
        return {
          offers: offers.map(({ id, kind, name, origin }) => ({
            id,
            kind,
            name,
            host: new URL(origin).host,
          })),
          fault: null,
        };
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        return { offers: [], fault: faultAtHub(error.errorClass) };
      }
    },

    connectOffered: async (hubId: string) => {
      try {
        const offer = (await ports.hub.offers(ended.signal)).find(({ id }) => id === hubId);
        if (offer === undefined) return { kind: 'refused', pause: 'notOffered' } as const;
        const { kind, name, origin: address } = offer;
        // The user pressed the button a second time.
        const known = rows().find((row) => row.hubId === hubId);
        if (known !== undefined) return { kind: 'connected', id: known.id } as const;
        return await add({ id: ports.newId(), partner: partner(), kind, name, address, hubId }, null);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        return { kind: 'refused', pause: faultAtHub(error.errorClass) ?? 'hubAway' } as const;
      }
    },

    authorize: async (input: {
      readonly kind: DestinationKindName;
      readonly name: string;
      readonly address: string;
      readonly clientId: string;
      readonly replaces?: string | undefined;
    }): Promise<{ readonly url: string | null }> => {
      const replaced = input.replaces === undefined ? null : rowOf(input.replaces);
      if (input.replaces !== undefined && replaced?.hubId !== null) return { url: null };
      const address = addressOf(input.kind, replaced?.address ?? input.address);
      if (address === null || KINDS[input.kind].oauth === null) return { url: null };
      // A new attempt ends the previous one, because the user gave up on it.
      authorizing.abort();
      authorizing = new AbortController();
      authorized = null;
      const { signal } = authorizing;
      return await new Promise((resolve, reject) => {
        let authorization: ReturnType<typeof beginAuthorization> = null;
        const begin = (redirect: string): void => {
          const { kind, clientId } = input;
          authorization = beginAuthorization({ send, random, clock }, KINDS[kind], {
            address,
            clientId,
            redirect,
          });
          resolve({ url: authorization?.url ?? null });
        };
        awaitRedirect(
          ports.redirectPort ?? REDIRECT_PORT,
          (state) => state === authorization?.state,
          begin,
          AbortSignal.any([signal, ended.signal]),
        )
          .then(async (code) => {
            if (code === null || authorization === null) {
              if (!signal.aborted) authorized = { kind: 'refused', pause: 'keyRefused' };
              return;
            }
            const done = await authorization.redeem(code, ended.signal);
            const { kind, name } = input;
            const { address: proven } = done;
            if (replaced !== null) {
              authorized =
                proven === replaced.address
                  ? await replace(replaced, done.secret)
                  : { kind: 'refused', pause: 'otherAddress' };
              return;
            }
            const row = { id: ports.newId(), partner: partner(), kind, name, address: proven, hubId: null };
            authorized = await add(row, done.secret);
          })
          .catch((error: unknown) => {
            authorized = signInFault(error);
            log.warn('an authorisation failed', { kind: error instanceof Error ? error.name : 'unknown' });
            reject(error instanceof Error ? error : new Error('the authorisation failed'));
          });
      });
    },

    /** The outcome of the last sign-in. Null while nobody has signed in. */
    authorized: (): Connected | null => authorized,

    test: async (id: string): Promise<{ readonly pause: DestinationPause | null }> => {
      const row = rowOf(id);
      if (row === null) return { pause: 'keyMissing' };
      const opened = openOf(row);
      const pause = await faultAt(opened, false);
      // Leads that wait for the end of an outage are sent at once.
      if (pause === null && opened.pusher.pause() !== null) opened.pusher.retry();
      return { pause };
    },

    save: (
      id: string,
      change: SettingsChange,
    ): { readonly kept: boolean; readonly fault: MappingFault | null } => {
      const row = rowOf(id);
      if (row === null) return { kept: false, fault: null };
      const { settings: before } = row;
      const changed = change.mapping ?? {};
      const mapping = { ...before.mapping, ...changed };
      const fault = mappingFaultOf(KINDS[row.kind], mapping, Object.keys(changed), crmSetting());
      if (fault !== null) return { kept: false, fault };
      store.saveSettings(id, {
        when: change.when ?? before.when,
        needsConsent: change.needsConsent ?? before.needsConsent,
        notBefore: change.notBefore === undefined ? before.notBefore : change.notBefore,
        mapping,
      });
      // The new rule may include earlier leads.
      store.read(id, { ...row.read, seq: 0 });
      openOf(row).pusher.wake();
      return { kept: true, fault: null };
    },

    mapping: async (id: string) => {
      const row = rowOf(id);
      if (row === null) return { fields: [], properties: null, pause: 'keyMissing' as const, leads: [] };
      const { ids } = await ports.page({ undone: false }, null);
      const leads = ids.slice(0, PREVIEWED).flatMap((lead) => ports.lead(row.partner, lead) ?? []);
      // Fields can be mapped before the first lead. A mapped field that these leads lack, such as a question that was
      // removed, still occupies its property.
      const fields = new Map<string, { field: string; property: string | null; question: string | null }>(
        targetsOf(KINDS[row.kind], row.settings.mapping, crmSetting()).map(([field, property]) => [
          field,
          { field, property, question: null },
        ]),
      );
      for (const lead of leads)
        for (const { field, property, question } of mapped(lead, row))
          fields.set(field, { field, property, question });
      const properties: Property[] = [];
      const pause =
        row.kind === 'webhook'
          ? null
          : await pauseAt(openOf(row), async () => {
              properties.push(...(await openOf(row).adapter.properties(ended.signal)));
            });
      return {
        fields: [...fields.values()],
        properties: row.kind === 'webhook' || pause !== null ? null : properties,
        pause,
        leads: leads.map((lead) => ({ lead: lead.id, values: { ...valuesOf(mapped(lead, row)) } })),
      };
    },

    dryRun: async (id: string, filter: LeadFilter) => {
      const row = rowOf(id);
      const ids = await allIds(filter, Number.POSITIVE_INFINITY);
      if (row === null) return { planned: [], pause: 'keyMissing' as const, total: ids.length };
      const planned: PlannedPush[] = [];
      const pause = await pauseAt(openOf(row), async () => {
        const looked = await lookAt(row, ids.slice(0, MOST_PLANNED));
        const readsBack = openOf(row).adapter.look !== undefined;
        const sent = new Set(readsBack ? [] : store.inState(id, 'sent', -1).map(({ lead }) => lead));
        const doesUnread = (one: Looked): PlannedPush['does'] => {
          if (!sent.has(one.record.lead)) return 'create';
          return one.lead !== null && openOf(row).pusher.placeOf(one.lead) === 'there' ? 'nothing' : 'update';
        };
        for (const one of looked.values())
          planned.push(plannedOf(one, row, readsBack ? null : doesUnread(one)));
      });
      return { planned, pause, total: ids.length };
    },

    send: async (id: string, filter: LeadFilter) => {
      const row = rowOf(id);
      const counted = { queued: 0, skipped: 0, unchanged: 0 };
      if (row === null) return counted;
      const { pusher } = openOf(row);
      // Staff who choose one lead want it sent again.
      const isAgain = filter.ids?.length === 1;
      for (const lead of await allIds(filter, Number.POSITIVE_INFINITY)) {
        const one = ports.lead(row.partner, lead);
        const place = one === null ? null : pusher.placeOf(one);
        if (one === null || (row.settings.needsConsent && !agreed(one))) counted.skipped += 1;
        else if (!isAgain && place === 'there') counted.unchanged += 1;
        else {
          if (place !== 'underWay') store.enrol(id, lead, ports.externalId(row.partner, lead), clock.now());
          counted.queued += 1;
        }
      }
      pusher.wake();
      return counted;
    },

    ofLead: (lead: string) =>
      rows().flatMap((row) => {
        const found = stateOf(row, lead);
        if (found === null) return [];
        const waits = found.state === 'due' || found.state === 'uncertain';
        return [
          {
            ...found,
            id: row.id,
            name: row.name,
            conflicts: [...(store.record(row.id, lead)?.conflicts ?? [])],
            readsBack: openOf(row).adapter.look !== undefined,
            pause: waits ? pauseAtPresent(row) : null,
            waitsUntil: waits ? waitsUntil(row) : null,
            atHub: row.hubId !== null,
          },
        ];
      }),

    parked: (id: string) => {
      const row = rowOf(id);
      if (row === null) return [];
      return store.parked(id, MOST_PARKED).map(({ lead, reason, why }) => ({
        lead,
        name: ports.lead(row.partner, lead)?.name ?? null,
        reason: reasonOf(reason),
        why,
      }));
    },

    retry: (id: string, lead: string | null): { readonly retried: number; readonly leftOut: number } => {
      const row = rowOf(id);
      const counted = { retried: 0, leftOut: 0 };
      if (row === null) return counted;
      for (const parked of store.parked(id, -1)) {
        if (lead !== null && parked.lead !== lead) continue;
        const record = store.record(id, parked.lead);
        if (parked.reason === 'deletedThere' && record !== null) {
          // Only a decision about this lead creates the record again.
          if (lead === null) {
            counted.leftOut += 1;
            continue;
          }
          store.saveRecord(id, { ...record, remoteId: null, wasThere: false, wrote: {}, conflicts: [] });
        }
        if (store.move('retried', parked.seq, clock.now())) counted.retried += 1;
      }
      openOf(row).pusher.wake();
      return counted;
    },

    conflicts: async (id: string) => {
      const row = rowOf(id);
      const leads: {
        lead: string;
        name: string | null;
        fields: { property: string; ours: string; theirs: string }[];
      }[] = [];
      if (row === null) return { leads, pause: 'keyMissing' as const };
      const records = store.conflicts(id, MOST_CONFLICTS);
      const pause = await pauseAt(openOf(row), async () => {
        const looked = await lookAt(
          row,
          records.map(({ lead }) => lead),
        );
        for (const { lead, conflicts } of records) {
          const one = looked.get(lead);
          const fields = conflicts.map((property) => ({
            property,
            ours: one?.values[property] ?? '',
            theirs: one?.found?.values[property] ?? '',
          }));
          leads.push({ lead, name: one?.lead?.name ?? null, fields });
        }
      });
      return { leads, pause };
    },

    decide: (
      id: string,
      input: {
        readonly lead: string;
        readonly property: string;
        readonly keep: 'ours' | 'theirs';
        readonly theirs: string;
      },
    ): { readonly done: boolean } => {
      const row = rowOf(id);
      const record = row === null ? null : store.record(id, input.lead);
      const lead = row === null ? null : ports.lead(row.partner, input.lead);
      if (row === null || record === null || lead === null || !record.conflicts.includes(input.property)) {
        return { done: false };
      }
      const { property, keep, theirs } = input;
      const want = hashOf(valuesOf(mapped(lead, row))[property] ?? '');
      store.saveRecord(id, {
        ...record,
        conflicts: record.conflicts.filter((name) => name !== property),
        decided: { ...record.decided, [property]: { keep, want, there: hashOf(theirs) } },
      });
      store.enrol(id, input.lead, record.externalId, clock.now());
      openOf(row).pusher.wake();
      return { done: true };
    },

    forget: async (id: string): Promise<{ readonly revoked: boolean }> => {
      const row = rowOf(id);
      if (row === null) return { revoked: false };
      const { access, pusher } = openOf(row);
      store.remove(id);
      open.delete(id);
      pusher.retry();
      return { revoked: await access.revoke(ended.signal) };
    },

    /**
     * Call it after leads were erased here. For a person, requests the erasure of the record at every destination. A
     * device that is emptied requests nothing, and drops the states of its leads.
     */
    erased: ({ id, kind }: Pick<ErasureProtocol, 'id' | 'kind'>): void => {
      for (const lead of store.leads())
        if (ports.isErased(lead)) store.eraseLead(lead, kind === 'person' ? id : null, clock.now());
      for (const { pusher } of open.values()) pusher.wake();
    },
    erasuresOf: store.erasuresOf,
    /**
     * Problems that staff should see. `waiting`: leads and erasures that wait for destinations that accept nothing at
     * present. The others are as in `HealthCheck`.
     */
    concerns: (): Concerns => {
      const sum = { waiting: 0, refused: 0, undecided: 0, broken: 0 };
      for (const row of rows()) {
        const pause = pauseAtPresent(row);
        if (pause !== null) sum.waiting += store.waiting(row.id) + store.countErasures(row.id);
        if (isBroken(pause)) sum.broken += 1;
        sum.refused += store.countRefused(row.id);
        sum.undecided += store.countConflicts(row.id);
      }
      return sum;
    },
    /** Call it after leads changed. */
    wake: (): void => {
      for (const { pusher } of open.values()) pusher.wake();
    },
    start: (): void => {
      running = true;
      for (const row of store.all()) {
        const { id, kind, settings } = row;
        // An earlier version connected two destinations under one name.
        const name = freeName(row, row.name);
        if (name !== row.name) store.rename(id, name);
        const mapping = repairedMapping(KINDS[kind], settings.mapping, crmSetting());
        if (JSON.stringify(mapping) !== JSON.stringify(settings.mapping)) {
          log.warn('a stored mapping was repaired', { destination: id });
          store.saveSettings(id, { ...settings, mapping });
        }
        runOne(row);
      }
    },
    stop: async (): Promise<void> => {
      ended.abort();
      await Promise.all(loops);
      store.close();
    },
  };
}

/** Whether a lead is sent automatically. */
function isChosen(lead: ExportLead, { settings }: DestinationRow): boolean {
  const { when, needsConsent } = settings;
  if (lead.takenBack || (needsConsent && !agreed(lead))) return false;
  switch (when.kind) {
    case 'hand':
      return false;
    case 'all':
      return true;
    case 'rule':
      return (when.hot && lead.hot) || (when.rating !== null && (lead.rating ?? 0) >= when.rating);
  }
}

function isSameName(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase();
}

function isBroken(pause: DestinationPause | null): boolean {
  if (pause === null) return false;
  if (typeof pause === 'string') return !PASSES[pause];
  // A lookup was refused. 408 and 429 only say when to ask again.
  return pause.status >= 400 && pause.status < 500 && ![408, 429].includes(pause.status);
}

/** Whether the person agreed to be contacted in some way. */
function agreed(lead: ExportLead): boolean {
  return (['email', 'phone', 'post'] as const).some((channel) => consentTo(lead, channel) !== null);
}

/** `unread`: what the send does to a record that cannot be read back. Null if it can. */
function plannedOf(
  { lead, record, values, found, fault, unknownOwner }: Looked,
  row: DestinationRow,
  unread: PlannedPush['does'] | null,
): PlannedPush {
  const skip = fault ?? (row.settings.needsConsent && lead !== null && !agreed(lead) ? 'noConsent' : null);
  const { writes, conflicts } = planOf(record, found, values, KINDS[row.kind].owner);
  const isWrite = (name: string): boolean =>
    unread === null || unread === 'create' || !isLastWritten(record, name, values[name] ?? '');
  const names = skip === null ? Object.keys(writes).filter(isWrite) : [];
  const does = unread ?? (found === null ? 'create' : names.length > 0 ? 'update' : 'nothing');
  return {
    lead: record.lead,
    name: lead?.name ?? null,
    does: skip === null ? does : 'skip',
    reason: skip,
    writes: names,
    conflicts: skip === null ? [...conflicts] : [],
    unknownOwner: skip === null ? unknownOwner : null,
  };
}

function reasonOf(reason: string | null): PushReason {
  const read = pushReasonSchema.safeParse(reason);
  return read.success ? read.data : 'other';
}

/** As `pauseOf`, with what the access knows about the reason. */
async function pauseAt(opened: Open, ask: () => Promise<void>): Promise<DestinationPause | null> {
  const pause = await pauseOf(ask);
  return pause === null ? null : pauseNow(opened, pause);
}

/** A fault at the hub that holds the token comes first. A destination that answers is not offline. */
function pauseNow({ access, trouble }: Open, pause: Pause | null): DestinationPause | null {
  return access.hubFault?.() ?? (pause === 'offline' ? (trouble() ?? pause) : pause);
}

/** The codes of a request that got no answer in time. */
const SLOW: ReadonlySet<unknown> = new Set([
  'TimeoutError',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
]);

/** Runs a request of staff. Returns why it failed, or null. */
async function pauseOf(ask: () => Promise<void>): Promise<Pause | null> {
  try {
    await ask();
    return null;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return pauseOfFault(error);
  }
}

/** Why a sign-in failed. A service refuses a wrong key of the app with 400. */
function signInFault(error: unknown): Connected {
  if (!(error instanceof ApiError)) return { kind: 'failed', reason: 'failing' };
  return { kind: 'refused', pause: error.errorClass.kind === 'reject' ? 'keyRefused' : pauseOfFault(error) };
}

function pauseOfFault({ errorClass }: ApiError): Pause {
  return errorClass.kind === 'stop' ? errorClass.pause : 'offline';
}
