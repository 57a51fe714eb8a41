/** The file with which a hub sets devices up: its content, and each refusal. */
import { describe, expect, it } from 'vitest';
import {
  fingerprintOfKey,
  makeSigningKey,
  type Provision,
  readProvision,
  writeProvision,
} from '../../src-main/provision/provision-file.ts';

const hub = makeSigningKey();
const content: Provision = {
  expo: 'E1',
  address: 'http://192.168.1.20:4750/v2',
  hub: 'Hall 7',
  issuedAt: '2026-11-20T08:00:00Z',
  expiresAt: '2026-11-27T08:00:00Z',
  devices: [1, 2].map((n) => ({
    id: `D0${n}`,
    name: `B17 robots ${n}`,
    key: `one-time-key-of-device-${n}`,
    touchpoint: `T${n}`,
    partner: 'P2',
    purpose: 'lead' as const,
    settings: { showCompany: true },
  })),
};
const during = Date.parse('2026-11-22T08:00:00Z');
const text = writeProvision(content, hub.privateKey);
const reasonOf = (file: string, now = during, known: string | null = null) => {
  const read = readProvision(file, now, known);
  return read.kind === 'refused' ? read.reason : 'taken';
};

describe('a provisioning file', () => {
  it('returns what the hub signed, and the fingerprint that the hub shows', () => {
    const { fingerprint } = hub;
    expect(readProvision(text, during, null)).toEqual({ kind: 'provision', content, fingerprint });
    expect(readProvision(text, during, fingerprint)).toMatchObject({ kind: 'provision' });
    expect(fingerprint).toMatch(/^([0-9A-F]{4} ){7}[0-9A-F]{4}$/);
    expect(fingerprintOfKey(hub.privateKey)).toBe(fingerprint);
    expect(text).not.toContain('PRIVATE');
  });

  it("may contain the hub's pin and further addresses, and is then refused by an older app", () => {
    const pinned = { ...content, address: 'https://192.168.1.20:8820/v2', pin: `${'A'.repeat(43)}=` };
    const file = writeProvision(pinned, hub.privateKey);
    expect(readProvision(file, during, null)).toMatchObject({ kind: 'provision', content: pinned });
    const others = ['https://192.168.1.21:8820/v2'];
    const twofold = readProvision(writeProvision({ ...pinned, others }, hub.privateKey), during, null);
    expect(twofold).toMatchObject({ kind: 'provision', content: { others } });
    const version = (text: string) => (JSON.parse(text) as { version: number }).version;
    expect([version(text), version(file)]).toEqual([1, 2]);
    expect(reasonOf(file.replace('AAAA', 'AAAB'))).toBe('altered');
    const { pin: _pin, ...without } = JSON.parse(file) as { pin: string };
    expect(reasonOf(JSON.stringify(without))).toBe('altered');
    expect(() => writeProvision({ ...pinned, pin: 'A' }, hub.privateKey)).toThrow();
  });

  it('is accepted when it was saved without line breaks', () => {
    expect(reasonOf(JSON.stringify(JSON.parse(text)))).toBe('taken');
  });

  it('is refused if any single character is altered', () => {
    const places = Array.from({ length: 60 }, (_, index) => Math.floor(((index + 0.5) * text.length) / 60));
    for (const at of places) {
      const altered = `${text.slice(0, at)}${text[at] === 'x' ? 'y' : 'x'}${text.slice(at + 1)}`;
      const isLayout = /\s/.test(text[at] ?? '');
      if (!isLayout) expect(reasonOf(altered), `letter ${at}`).not.toBe('taken');
    }
    expect(reasonOf(text.replace('192.168.1.20', '192.168.1.66'))).toBe('altered');
    expect(reasonOf(text.replace('2026-11-27', '2027-11-27'))).toBe('altered');
    expect(reasonOf(text.replace('"T1"', '"T2"'))).toBe('altered');
  });

  it('is refused by a device that knows its hub if another key signed it', () => {
    const stranger = makeSigningKey();
    const forged = writeProvision({ ...content, address: 'http://10.0.0.66/v2' }, stranger.privateKey);
    expect(reasonOf(forged, during, hub.fingerprint)).toBe('otherHub');
    const { publicKey } = JSON.parse(text) as { publicKey: string };
    const borrowed = JSON.stringify({ ...(JSON.parse(forged) as object), publicKey });
    expect(reasonOf(borrowed)).toBe('altered');
  });

  it('is refused if it is truncated anywhere', () => {
    const cuts = Array.from({ length: 40 }, (_, index) => Math.floor(((index + 1) * (text.length - 2)) / 41));
    for (const at of cuts) expect(['cut', 'notOurs']).toContain(reasonOf(text.slice(0, at)));
    expect(reasonOf(text.slice(0, text.length - 3))).toBe('cut');
  });

  it('is valid only in its period, by the clock of the device', () => {
    expect(reasonOf(text, Date.parse('2026-11-27T07:59:59Z'))).toBe('taken');
    expect(reasonOf(text, Date.parse('2026-11-27T08:00:00Z'))).toBe('expired');
    expect(reasonOf(text, Date.parse('2026-11-20T07:30:00Z'))).toBe('taken');
    expect(reasonOf(text, Date.parse('2026-11-20T06:30:00Z'))).toBe('early');
  });

  it('is refused with its own reason if it is from a newer version or is another kind of file', () => {
    expect(reasonOf(text.replace('"version": 1', '"version": 4'))).toBe('newer');
    for (const foreign of ['', 'null', '[]', '{}', '{"touchpointSetUp":1}', '\u0000'])
      expect(reasonOf(foreign)).toBe('notOurs');
    expect(reasonOf('{"format":"touchpoint-provision","version":1}')).toBe('altered');
  });

  it('is not written if two devices have the same id', () => {
    const twice = { ...content, devices: content.devices.map((device) => ({ ...device, id: 'D01' })) };
    expect(() => writeProvision(twice, hub.privateKey)).toThrow();
  });
});
