/**
 * Invitations of a sharing laptop: a code that lets one more laptop of the same partner join its hub, and the request
 * that redeems it (`POST /hub/join`).
 *
 * Invariants
 * - A secret is valid for one laptop and fifteen minutes. Only the newest secret is valid.
 * - A laptop of another event, or at a touchpoint of another partner, is refused and uses up no secret.
 * - A laptop without a touchpoint gets the touchpoint of the sharing laptop, with its set-up.
 * - A laptop receives a signed file like those that `devices add` writes.
 */
import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { SECRET_BYTES } from '../../src-main/provision/join-code.ts';
import { writeProvision } from '../../src-main/provision/provision-file.ts';
import { JOIN_FORMAT, type JoinRefusal, joinRequestSchema } from '../../src-main/sharing/messages.ts';
import { badRequest } from '../../src-platform/http/errors.ts';
import { keepStand } from '../../src-platform/hub/stands.ts';
import { addDevice, listDevices } from '../../src-platform/keys/devices.ts';
import { findRecords } from '../../src-platform/store/records.ts';
import type { Store } from '../../src-platform/store/store.ts';
import { pinOfHub } from '../certificate/hub-keys.ts';
import { type Place, placeOf } from '../devices-command.ts';
import { basePath } from '../options.ts';

/** What the invitations of a hub depend on. */
export type InvitationSources = {
  readonly store: Store;
  readonly signingKey: string;
  readonly expo: string;
  /** The touchpoint of the sharing laptop. */
  readonly touchpoint: string;
  /** The name of the sharing laptop. */
  readonly laptop: string;
  /** The set-up for laptops that have none yet (`stand-file.ts`). */
  readonly stand: string;
  readonly now: () => number;
  /** Called after a laptop redeemed the newest secret. */
  readonly onJoined: () => void;
};

export type Invitations = {
  /** Makes a secret in hex; the previous one expires. `address`: the address of this hub for the laptop's file. */
  readonly open: (address: string) => { readonly secret: string; readonly until: number };
  /** The signed file of the sharing laptop itself. */
  readonly ownFile: (address: string) => Promise<string>;
  /** Whether the touchpoint of the sharing laptop is in the store. */
  readonly isReady: () => Promise<boolean>;
  /** Names of all laptops that are not revoked, oldest first. */
  readonly laptops: () => Promise<readonly string[]>;
  /** Adds the route that redeems a secret. */
  readonly mount: (app: FastifyInstance) => void;
};

/** How long a secret is valid, and how long the key in a laptop's file can be enrolled, in milliseconds. */
const VALID_MS = 15 * 60_000;
/** How far the clock of a joining laptop may be ahead, because it checks the file by its own clock. */
const CLOCKS_DIFFER_MS = 24 * 3_600_000;

type Issued = { readonly secret: string; until: number; readonly address: string; isUsed: boolean };

type Answer =
  | { readonly kind: 'file'; readonly text: string }
  | { readonly kind: 'refused'; readonly reason: JoinRefusal };

/** The invitations of one sharing hub. Secrets are in memory only: a restart makes them invalid. */
export function createInvitations(sources: InvitationSources): Invitations {
  const { store, expo, now } = sources;
  const issued: Issued[] = [];

  const placeAt = async (touchpoint: string): Promise<Place | null> => {
    const [found] = await findRecords(store.db, 'touchpoint', expo, [touchpoint]);
    return found === undefined || found.deleted ? null : placeOf(found);
  };

  const redeem = async (body: unknown): Promise<Answer> => {
    const read = joinRequestSchema.safeParse(body);
    if (!read.success) throw badRequest('This is not a request to join');
    const request = read.data;
    if (request.format !== JOIN_FORMAT) return refused(request.format > JOIN_FORMAT ? 'hubOlder' : 'newer');
    const found = issued.find(({ secret }) => secret === request.secret);
    if (found === undefined) return refused('wrongCode');
    if (found.isUsed) return refused('usedCode');
    if (found.until <= now()) return refused('expiredCode');
    if (request.expo !== null && request.expo !== expo) return refused('otherEvent');
    const own = await placeAt(sources.touchpoint);
    const place = request.touchpoint === null ? own : await placeAt(request.touchpoint);
    if (own === null || place === null) return refused('noTouchpoint');
    if (place.partner !== own.partner) return refused('otherPartner');
    // A concurrent request with the same secret may have been first.
    if (found.isUsed) return refused('usedCode');
    found.isUsed = true;
    const stand = request.touchpoint === null ? await keepStand(store, sources.stand) : undefined;
    const text = await fileFor(sources, place, request.laptop, found.address, stand);
    sources.onJoined();
    return { kind: 'file', text };
  };

  return {
    open: (address) => {
      for (const one of issued) one.until = Math.min(one.until, now());
      const secret = randomBytes(SECRET_BYTES).toString('hex');
      const until = now() + VALID_MS;
      issued.push({ secret, until, address, isUsed: false });
      return { secret, until };
    },
    ownFile: async (address) => {
      const place = await placeAt(sources.touchpoint);
      if (place === null) throw new Error('the touchpoint of this laptop is not in the event');
      return fileFor(sources, place, sources.laptop, address);
    },
    isReady: async () => (await placeAt(sources.touchpoint)) !== null,
    laptops: async () => {
      const devices = await listDevices(store.db, expo);
      return devices.filter(({ revoked }) => revoked === null).map(({ name }) => name);
    },
    mount: (app) => {
      app.post(`${basePath}/hub/join`, { bodyLimit: 2_000 }, (request) => redeem(request.body));
    },
  };
}

/** Adds a device and writes its signed file. */
async function fileFor(
  { store, signingKey, expo, laptop: hub, now }: InvitationSources,
  place: Place,
  laptop: string,
  address: string,
  stand?: string,
): Promise<string> {
  const [issuedAt, until] = [new Date(now()), new Date(now() + VALID_MS)];
  const name = `${place.name} (${laptop})`.slice(0, 80);
  const about = { expoId: expo, name, touchpointId: place.id, partnerId: place.partner };
  const { id, key } = await addDevice(store, about, issuedAt, until);
  const { partner, purpose } = place;
  return writeProvision(
    {
      expo,
      address,
      hub,
      pin: pinOfHub(signingKey),
      stand,
      issuedAt: issuedAt.toISOString(),
      expiresAt: new Date(now() + CLOCKS_DIFFER_MS).toISOString(),
      devices: [{ id, name, key, touchpoint: place.id, partner, purpose }],
    },
    signingKey,
  );
}

function refused(reason: JoinRefusal): Answer {
  return { kind: 'refused', reason };
}
