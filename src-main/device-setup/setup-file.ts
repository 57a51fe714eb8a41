/**
 * A whole set-up as one file for other devices: event, stand, pictures, and the key and PINs if requested. Pure.
 *
 * Invariants:
 * - the file is readable text;
 * - a truncated, altered or newer file is refused as a whole, each with another reason;
 * - it contains PINs only in stretched form, as `staff.json` does, and never captured data;
 * - a file with PINs has its own version, because earlier releases would ignore the PINs and must refuse the file.
 */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { SetupFileRefusal } from '../contract/setup.ts';
import { readSettings, type StandSettings } from '../core/stand/visit/settings.ts';
import { type KeptPin, keptPinSchema } from '../core/team/staff/pin.ts';

const VERSION = 1;
const WITH_PINS = 2;
const MARK = 'touchpointSetUp';

/** A picture or film of a set-up. */
export type SetupPicture = { readonly name: string; readonly bytes: Uint8Array };

/** The stored PINs of a device. */
export type SetupPins = { readonly team: KeptPin; readonly technician: KeptPin };

export type SetupContent = {
  readonly platform: {
    readonly address: string;
    readonly expo: string;
    readonly privateHttp: boolean;
    /** Null: not in the file. */
    readonly key: string | null;
  };
  readonly stand: StandSettings;
  /** Null: not in the file. */
  readonly pins: SetupPins | null;
  readonly logo: SetupPicture | null;
  readonly attract: readonly SetupPicture[];
};

export type ReadSetup =
  | { readonly kind: 'setup'; readonly content: SetupContent }
  | { readonly kind: 'refused'; readonly reason: SetupFileRefusal; readonly faults: readonly string[] };

const pictureSchema = z.object({ name: z.string().regex(/^[^/\\]{1,200}$/), base64: z.base64() });
const plainSchema = z.strictObject({
  [MARK]: z.literal(VERSION),
  platform: z.strictObject({
    address: z.string().max(2_000),
    expo: z.string().regex(/^[\w-]{1,64}$/),
    privateHttp: z.boolean(),
    key: z.string().max(500).nullable(),
  }),
  stand: z.unknown(),
  logo: pictureSchema.nullable(),
  attract: z.array(pictureSchema).max(50),
  sha256: z.string(),
});
const bodySchema = z.discriminatedUnion(MARK, [
  plainSchema.transform((body) => ({ ...body, pins: null })),
  plainSchema.extend({
    [MARK]: z.literal(WITH_PINS),
    pins: z.strictObject({ team: keptPinSchema, technician: keptPinSchema }),
  }),
]);

/** The text of a file with this content. */
export function writeSetup({ platform, stand, pins, logo, attract }: SetupContent): string {
  const pictures = { logo: asText(logo), attract: attract.map(asText) };
  const body =
    pins === null
      ? { [MARK]: VERSION, platform, stand, ...pictures }
      : { [MARK]: WITH_PINS, platform, stand, pins, ...pictures };
  return `${JSON.stringify({ ...body, sha256: digestOf(body) }, null, 2)}\n`;
}

/** Reads the text of such a file. */
export function readSetup(text: string): ReadSetup {
  const value = parse(text);
  if (value === undefined) return refused(text.includes(`"${MARK}"`) ? 'cut' : 'notOurs');
  if (typeof value !== 'object' || value === null || !(MARK in value)) return refused('notOurs');
  const version: unknown = value[MARK];
  if (typeof version === 'number' && version > WITH_PINS) return refused('newer');
  const { sha256, ...rest } = value as Readonly<Record<string, unknown>>;
  if (sha256 !== digestOf(rest)) return refused('altered');
  const body = bodySchema.safeParse(value);
  if (!body.success) return refused('notOurs');
  const { platform, stand, pins, logo, attract } = body.data;
  const read = readSettings(stand);
  if (read.kind === 'faults') return refused('unsound', read.faults);
  return {
    kind: 'setup',
    content: {
      platform,
      stand: read.settings,
      pins,
      logo: logo === null ? null : asPicture(logo),
      attract: attract.map(asPicture),
    },
  };
}

function refused(reason: SetupFileRefusal, faults: readonly string[] = []): ReadSetup {
  return { kind: 'refused', reason, faults };
}

function digestOf(body: unknown): string {
  return createHash('sha256').update(JSON.stringify(body)).digest('hex');
}

function asText<Picture extends SetupPicture | null>(picture: Picture) {
  return picture === null
    ? null
    : { name: picture.name, base64: Buffer.from(picture.bytes).toString('base64') };
}

function asPicture({ name, base64 }: z.infer<typeof pictureSchema>): SetupPicture {
  return { name, bytes: Buffer.from(base64, 'base64') };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
