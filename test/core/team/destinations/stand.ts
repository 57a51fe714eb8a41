/**
 * A stand with leads and its destinations: the real service over a real file and real HTTP. Only time runs faster.
 */
import { join } from 'node:path';
import { createWebClient } from '../../../../src-main/core/foundations/api/web-request.ts';
import type { Clock, Log } from '../../../../src-main/core/foundations/ports.ts';
import type { SecretStore } from '../../../../src-main/core/team/destinations/access.ts';
import type { HubDestinations } from '../../../../src-main/core/team/destinations/hub-access.ts';
import {
  createDestinationService,
  type DestinationService,
} from '../../../../src-main/core/team/destinations/service.ts';
import { openDestinations } from '../../../../src-main/core/team/destinations/store.ts';
import type { ExportLead } from '../../../../src-main/core/team/formats/export-lead.ts';
import { ownFolder, rememberingLog } from '../../fixture.ts';
import { realClock, realRandom } from '../../real-parts.ts';

/** A clock whose sleeps are short, so that a back-off of seconds takes milliseconds. */
export const quickClock = (times = 50): Clock => ({
  ...realClock,
  sleep: (ms, signal) => realClock.sleep(ms / times, signal),
  monotonic: () => realClock.monotonic() * times,
});

export type Stand = {
  readonly service: () => DestinationService;
  /** Adds or changes a lead, as a fact would. */
  readonly put: (lead: ExportLead) => void;
  readonly lead: (id: string) => ExportLead;
  /** Sets whether changes from now on may still be undone. If false, no earlier change may be undone either. */
  readonly hold: (isHeld: boolean) => void;
  /** Erases a lead. `kind`: a person asked for it, or it is a part of the erasure at the end of the fair. */
  readonly erase: (id: string, kind?: 'person' | 'fair') => void;
  /** E-mail addresses of the team by name. */
  readonly addresses: Map<string, string>;
  /** From now on the device works for another partner. */
  readonly workFor: (partner: string) => void;
  /** Ends the service at once and opens it again over the same file, as after a crash. */
  readonly crash: () => void;
  /** Ends the service properly, runs `between`, and opens it again. */
  readonly restart: (between?: () => void) => Promise<void>;
  readonly log: ReturnType<typeof rememberingLog>;
  readonly secrets: Map<string, string>;
  readonly path: string;
  readonly stop: () => Promise<void>;
};

/** A laptop without a hub. */
export const NO_HUB: HubDestinations = {
  offers: () => Promise.resolve([]),
  access: () => {
    throw new Error('there is no hub');
  },
};

/** Opens a stand of the partner p1. */
export const openStand = (clock: Clock = quickClock(), random = realRandom, hub = NO_HUB): Stand => {
  const path = join(ownFolder(), 'destinations.db');
  const leads = new Map<string, ExportLead>();
  const erased = new Set<string>();
  const addresses = new Map<string, string>();
  const facts: string[] = [];
  let heldFrom = Number.POSITIVE_INFINITY;
  const log = rememberingLog();
  const secrets = new Map<string, string>();
  const keeper: SecretStore = {
    keep: async (id, secret) => secrets.set(id, secret) !== undefined,
    read: async (id) => secrets.get(id) ?? null,
    forget: async (id) => void secrets.delete(id),
    hide: () => undefined,
    keepOnly: (ids) => {
      const others = [...secrets.keys()].filter((id) => !ids.includes(id));
      for (const id of others) secrets.delete(id);
      return others.length;
    },
  };
  let nextId = 0;
  let partner = 'p1';
  const open = () => {
    const web = createWebClient();
    const service = createDestinationService({
      file: openDestinations(path),
      secrets: keeper,
      hub,
      send: web.send,
      clock,
      random,
      log: log as Log,
      newId: () => {
        nextId += 1;
        return `d${nextId}`;
      },
      partner: () => partner,
      changed: (_partner, after) => {
        const some = facts.slice(after.seq, after.seq + 50);
        const free = some.slice(0, Math.max(0, heldFrom - after.seq));
        const held = some.slice(free.length);
        const last = { ...after, seq: after.seq + free.length };
        return { leads: [...new Set(free)], held, merged: [], last, heldMs: held.length > 0 ? 1_000 : null };
      },
      isChanged: (lead, after) => facts.includes(lead, after.seq),
      lead: (of, id) => (of === 'p1' && !erased.has(id) ? (leads.get(id) ?? null) : null),
      ownerOf: ({ staff: [first = ''] }) => addresses.get(first) ?? null,
      externalId: (_partner, lead) => lead,
      setting: () => ({ event: 'Autumn Fair', stand: 'Northwind', timezone: 'Europe/Berlin' }),
      page: async (filter) => ({
        ids: [...leads.values()]
          .filter(
            ({ id, hot }) =>
              (filter.ids?.includes(id) ?? true) && (filter.hot === undefined || hot === filter.hot),
          )
          .map(({ id }) => id),
        next: null,
      }),
      isErased: (id) => erased.has(id),
      redirectPort: 0,
    });
    return { service, web };
  };
  let opened = open();
  const stop = async (): Promise<void> => {
    await opened.service.stop();
    await opened.web.close();
  };
  return {
    service: () => opened.service,
    put: (lead) => {
      erased.delete(lead.id);
      leads.set(lead.id, lead);
      facts.push(lead.id);
      opened.service.wake();
    },
    lead: (id) => {
      const lead = leads.get(id);
      if (lead === undefined) throw new Error(`no lead ${id}`);
      return lead;
    },
    hold: (isHeld) => {
      heldFrom = isHeld ? facts.length : Number.POSITIVE_INFINITY;
      opened.service.wake();
    },
    erase: (id, kind = 'person') => {
      erased.add(id);
      opened.service.erased({ id: `erasure of ${facts.length}`, kind });
    },
    addresses,
    workFor: (other) => {
      partner = other;
    },
    crash: () => {
      const { service, web } = opened;
      void service.stop().catch(() => undefined);
      void web.close();
      opened = open();
      opened.service.start();
    },
    restart: async (between = () => undefined) => {
      await stop();
      between();
      opened = open();
      opened.service.start();
    },
    log,
    secrets,
    path,
    stop,
  };
};
