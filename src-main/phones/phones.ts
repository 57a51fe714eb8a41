/**
 * Phones of the team as a second screen: switches their server on until midnight, and pairs, lists and revokes phones.
 *
 * Invariants:
 * - The server is off until staff switch it on. It then stays on until midnight, also after a restart, unless staff
 *   switch it off.
 * - A phone that loses its access is locked, and its connections end: at once when staff revoke it, within seconds
 *   otherwise.
 */
import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { implement, ORPCError } from '@orpc/server';
import { type PhonesState, phoneCalls } from '../contract/phones.ts';
import type { Clock, Log, Random } from '../core/foundations/ports.ts';
import type { Kiosk } from '../core/kiosk.ts';
import type { Asker } from '../core/router.ts';
import type { Page } from '../core/team/staff/sessions.ts';
import type { Staff } from '../core/team/staff/staff.ts';
import { writeWhole } from '../device-setup/whole-file.ts';
import type { Network } from '../machine/networks.ts';
import type { PageFiles } from '../page/page-files.ts';
import { createPairing, type PairedPhone } from './pairing.ts';
import { createPhoneRouter } from './phone-router.ts';
import { openPhoneServer, type PhoneServer } from './phone-server.ts';

/** The port tried first, so that a paired phone finds the laptop again after a restart. */
const USUAL_PORT = 4748;
/** Interval of the search for phones that lost their access. */
const CHECK_MS = 1_000;

export type Phones = {
  readonly read: () => PhonesState;
  readonly turn: (on: boolean) => Promise<PhonesState>;
  /** Links with a code for a phone of this member. Null if switched off, or for an unknown member. */
  readonly pair: (member: string) => { readonly links: string[] } | null;
  readonly revoke: (phone: string) => PhonesState;
  readonly start: () => void;
  readonly stop: () => Promise<void>;
};

type PhonesPorts = {
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
  readonly random: Pick<Random, 'bytes'>;
  readonly log: Log;
  readonly folder: string;
  readonly kiosk: Pick<Kiosk, 'router' | 'staff' | 'partner'>;
  /** The files of the page. */
  readonly files: () => PageFiles;
  readonly networks: () => readonly Network[];
};

type Open = { readonly server: PhoneServer; readonly fingerprint: string };

/** The phones of one kiosk. */
export function createPhones({ clock, random, log, folder, kiosk, files, networks }: PhonesPorts): Phones {
  const { staff, partner } = kiosk;
  const memberName = (id: string) => staff.team().members.find((member) => member.id === id)?.name;
  const pairing = createPairing({
    clock,
    random,
    log,
    folder,
    partner,
    isMember: (id) => memberName(id) !== undefined,
  });
  /** The page of each phone that has connected since the start, and when it was last seen. */
  const seen = new Map<string, { readonly page: Page; readonly at: number }>();
  let open: Open | null = null;
  let fault: PhonesState['fault'] = null;
  let turning: Promise<unknown> = Promise.resolve();

  const see = ({ id }: PairedPhone): Page => {
    const page = seen.get(id)?.page ?? {};
    seen.set(id, { page, at: clock.now() });
    return page;
  };
  const phoneOf = (page: Page) => pairing.phones().find(({ id }) => seen.get(id)?.page === page) ?? null;
  const router = createPhoneRouter(kiosk.router, staff, (page) => phoneOf(page)?.member ?? null);

  /** Ends the sessions and connections of phones that have no access. */
  const cutOthers = (): void => {
    const valid = new Set(pairing.phones().map(({ id }) => id));
    for (const [id, { page }] of seen) {
      if (valid.has(id)) continue;
      seen.delete(id);
      staff.lock(page);
      open?.server.cut(page);
    }
  };
  const openNow = async (port: number): Promise<void> => {
    const [first] = networks();
    fault = first === undefined ? 'noNetwork' : null;
    if (first === undefined) return;
    const names = { server: 'Touchpoint', hosts: [], addresses: networks().map(({ address }) => address) };
    const file = join(folder, 'phones-certificate.pem');
    // Loaded here, because it takes 0.1 s and 35 MB.
    const { openCertificate } = await import('../certificate/certificate.ts');
    const certificate = await openCertificate(file, openKey(folder), names, clock.now());
    const gate = {
      exchange: pairing.exchange,
      authenticate: pairing.authenticate,
      paired: (phone: PairedPhone) => {
        cutOthers();
        staff.admit(see(phone), phone.member);
      },
      seen: see,
    };
    const server = await openPhoneServer({
      clock,
      certificate,
      port,
      networks,
      files: files(),
      gate,
      router,
    });
    open = { server, fingerprint: certificate.fingerprint };
    pairing.keepOpen(server.port);
    log.info('phones of the team can connect', { port: server.port });
  };
  const close = async (): Promise<void> => {
    const { server } = open ?? {};
    open = null;
    await server?.close();
  };
  /** Switches the server on or off. Changes run one after the other. */
  const turn = (on: boolean, port = USUAL_PORT): Promise<void> => {
    const change = async (): Promise<void> => {
      if (!on) {
        pairing.keepOpen(null);
        fault = null;
        cutOthers();
        await close();
      } else if (open === null) {
        await openNow(port).catch((error: unknown) => {
          fault = 'failed';
          log.warn('phones of the team cannot connect', { error: String(error) });
        });
      }
    };
    const turned = turning.then(change);
    turning = turned;
    return turned;
  };
  const check = setInterval(() => {
    cutOthers();
    if (open !== null && pairing.open() === null) void turn(false);
  }, CHECK_MS).unref();

  const read = (): PhonesState => ({
    open:
      open === null
        ? null
        : {
            addresses: networks().map(({ address }) => `${address}:${open?.server.port}`),
            fingerprint: open.fingerprint,
            until: pairing.open()?.until ?? clock.now(),
          },
    fault: fault ?? (pairing.isKept() ? null : 'notKept'),
    phones: pairing.phones().map(({ id, member, kind, pairedAt }) => ({
      id,
      member: memberName(member) ?? '',
      kind,
      pairedAt,
      seenAt: seen.get(id)?.at ?? null,
    })),
  });

  return {
    read,
    turn: async (on) => {
      await turn(on);
      return read();
    },
    pair: (member) => {
      if (open === null || memberName(member) === undefined) return null;
      const code = pairing.issue(member);
      return { links: read().open?.addresses.map((address) => `https://${address}/?pair=${code}`) ?? [] };
    },
    revoke: (phone) => {
      pairing.revoke(phone);
      cutOthers();
      return read();
    },
    start: () => {
      const kept = pairing.open();
      if (kept !== null) void turn(true, kept.port);
    },
    stop: async () => {
      clearInterval(check);
      await turning;
      await close();
    },
  };
}

/** Answers the calls of the device's own pages about phones. */
export function createPhonesRouter(phones: Phones, staff: Pick<Staff, 'session'>) {
  const os = implement(phoneCalls)
    .$context<Asker>()
    .use(({ context: { page }, next }) => {
      if (staff.session(page) === null) throw new ORPCError('UNAUTHORIZED');
      return next();
    });
  return {
    read: os.read.handler(() => phones.read()),
    turn: os.turn.handler(({ input }) => phones.turn(input.on)),
    pair: os.pair.handler(({ input }) => phones.pair(input.member)),
    revoke: os.revoke.handler(({ input }) => phones.revoke(input.phone)),
  };
}

/**
 * The key of the certificate: `phones-key.pem`, readable by this user only. Created on first use. @throws the disk's
 * error
 */
function openKey(folder: string): KeyObject {
  const path = join(folder, 'phones-key.pem');
  if (!existsSync(path)) {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    writeWhole(path, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  }
  return createPrivateKey(readFileSync(path, 'utf8'));
}
