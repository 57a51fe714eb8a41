/** Refusals by a sharing and by a joining laptop: each gives a reason, changes nothing and uses up no code. */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { fastify } from 'fastify';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openSigningKey, pinOfHub, tlsKeyOf } from '../../src-hub/certificate/hub-keys.ts';
import { createInvitations } from '../../src-hub/sharing/invitations.ts';
import { openCertificate } from '../../src-main/certificate/certificate.ts';
import { readJoinCode, writeJoinCode } from '../../src-main/provision/join-code.ts';
import { askToJoin, type Joiner } from '../../src-main/sharing/join.ts';
import { seed } from '../../src-platform/seed/seed.ts';
import { openSqlite } from '../../src-platform/store/open.ts';
import { ownFolder } from '../core/fixture.ts';
import { realClock } from '../core/real-parts.ts';

const PIN = Buffer.alloc(32, 7).toString('base64');
const MINUTE_MS = 60_000;

const colleague: Joiner = { expo: 'AD2026', touchpoint: 'AD2026T01', laptop: 'Two' };

/** The invitations of a laptop at the demo's first touchpoint, over https. */
const openSharing = async () => {
  const folder = ownFolder();
  const store = await openSqlite(folder);
  await seed(store, 'demo', new Date());
  const signingKey = openSigningKey(folder);
  const names = { server: 'One', hosts: [], addresses: [] };
  const tls = await openCertificate(join(folder, 'certificate.pem'), tlsKeyOf(signingKey), names, Date.now());
  const app = fastify({ https: { key: tls.key, cert: tls.cert } });
  const clock = { later: 0 };
  let joined = 0;
  const invitations = createInvitations({
    ...{ store, signingKey, expo: 'AD2026', touchpoint: 'AD2026T01', laptop: 'One', stand: '{}' },
    now: () => Date.now() + clock.later,
    onJoined: () => {
      joined += 1;
    },
  });
  invitations.mount(app);
  onTestFinished(async () => {
    await app.close();
    await store.close();
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const pin = pinOfHub(signingKey);
  const code = () => {
    const { secret } = invitations.open(`https://127.0.0.1:${port}/create/v2`);
    return writeJoinCode({ address: '127.0.0.1', port, pin, secret });
  };
  const ask = (given: string, more: Partial<Joiner> = {}) =>
    askToJoin(ownFolder(), realClock, given, { ...colleague, ...more });
  return { app, port, pin, clock, code, ask, invitations, joined: () => joined };
};

describe('a code', () => {
  it('is read in its printed form, in small letters, with hyphens, or from the QR code', () => {
    const said = { address: '10.0.0.255', port: 65_535, secret: '00ff00ff00' };
    const code = writeJoinCode({ ...said, pin: PIN });
    expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4} ){7}[0-9A-HJKMNP-TV-Z]{4}$/);
    const read = { ...said, pinStart: '0707070707070707' };
    const ways = [code, code.toLowerCase(), code.replaceAll(' ', '-'), `TOUCHPOINT:JOIN:${code}`];
    for (const way of [...ways, code.replaceAll('0', 'o').replaceAll('1', 'l')])
      expect(readJoinCode(way)).toEqual(read);
    expect([readJoinCode(''), readJoinCode(code.slice(1)), readJoinCode(`${code}0`)]).toEqual([
      null,
      null,
      null,
    ]);
  });

  it('is refused before anything is sent if one character is wrong, in almost every case', () => {
    const code = writeJoinCode({ address: '192.168.1.20', port: 8820, secret: '0102030405', pin: PIN });
    const letters = code.replaceAll(' ', '').split('');
    const wrong = letters.flatMap((letter, at) =>
      [...'0123456789ABCDEFGHJKMNPQRSTVWXYZ']
        .filter((other) => other !== letter)
        .map((other) => letters.with(at, other).join('')),
    );
    const accepted = wrong.filter((one) => readJoinCode(one) !== null).length;
    expect(accepted / wrong.length).toBeLessThan(0.02);
  });
});

describe('a laptop that shares', () => {
  it('gives a signed file to one laptop of its partner, and refuses the same code from any other', async () => {
    const { ask, code, joined, pin } = await openSharing();
    const once = code();
    const answers = await Promise.all([ask(once), ask(once)]);
    const files = answers.filter((answer) => typeof answer !== 'string');
    expect(files).toHaveLength(1);
    expect(answers).toContain('usedCode');
    expect(files[0]?.content).toMatchObject({
      ...{ expo: 'AD2026', hub: 'One', pin },
      devices: [{ touchpoint: 'AD2026T01', partner: 'AD2026P001' }],
    });
    expect(files[0]?.content.stand).toBeUndefined();
    expect([await ask(once), joined()]).toEqual(['usedCode', 1]);
  });

  it('gives its own touchpoint and set-up to a laptop that is not set up', async () => {
    const { ask, code } = await openSharing();
    const opened = await ask(code(), { expo: null, touchpoint: null });
    if (typeof opened === 'string') throw new Error(opened);
    expect(opened.content.devices[0]?.touchpoint).toBe('AD2026T01');
    expect(opened.content.stand).toMatch(/^[0-9a-f]{64}$/);
  });

  it('refuses another event, another partner and an unknown touchpoint, and the code stays valid', async () => {
    const { ask, code, joined } = await openSharing();
    const given = code();
    expect(await ask(given, { expo: 'OTHER' })).toBe('otherEvent');
    // A stand of another company, and a door of the organiser.
    expect(await ask(given, { touchpoint: 'AD2026T06' })).toBe('otherPartner');
    expect(await ask(given, { touchpoint: 'AD2026T05' })).toBe('otherPartner');
    expect(await ask(given, { touchpoint: 'AD2026T99' })).toBe('noTouchpoint');
    expect(joined()).toBe(0);
    expect(await ask(given)).toMatchObject({ kind: 'file' });
  });

  it('refuses an unknown code, a code that was replaced by a newer one, and one that is older than a quarter of an hour', async () => {
    const { ask, code, clock, port, pin } = await openSharing();
    const [older, newer] = [code(), code()];
    expect(await ask(writeJoinCode({ address: '127.0.0.1', port, pin, secret: '0000000000' }))).toBe(
      'wrongCode',
    );
    expect(await ask(older)).toBe('expiredCode');
    clock.later = 14 * MINUTE_MS;
    expect(await ask(newer, { touchpoint: 'AD2026T99' })).toBe('noTouchpoint');
    clock.later = 15 * MINUTE_MS;
    expect(await ask(newer)).toBe('expiredCode');
  });

  it('says which of the two laptops has the older version', async () => {
    const { app, invitations } = await openSharing();
    const { secret } = invitations.open('https://127.0.0.1:1/create/v2');
    for (const [format, reason] of [
      [2, 'hubOlder'],
      [0, 'newer'],
    ] as const) {
      const payload = { ...colleague, secret, format };
      const answer = await app.inject({ method: 'POST', url: '/create/v2/hub/join', payload });
      expect(answer.json()).toEqual({ kind: 'refused', reason });
    }
  });
});

describe('a laptop that joins', () => {
  it('sends nothing to a server with another key', async () => {
    const { app, ask, port } = await openSharing();
    let asked = 0;
    app.server.on('request', () => {
      asked += 1;
    });
    const code = writeJoinCode({ address: '127.0.0.1', port, pin: PIN, secret: '0102030405' });
    expect([await ask(code), asked]).toEqual(['wrongHub', 0]);
  });

  it('says that nobody answers, at a closed port and at a server without encryption', async () => {
    const { ask } = await openSharing();
    const plain = createServer((socket) => void socket.end('no'));
    plain.listen(0, '127.0.0.1');
    await once(plain, 'listening');
    onTestFinished(() => void plain.close());
    const { port } = plain.address() as AddressInfo;
    for (const at of [port, 1]) {
      const code = writeJoinCode({ address: '127.0.0.1', port: at, pin: PIN, secret: '0102030405' });
      expect(await ask(code)).toBe('noAnswer');
    }
    expect(await ask('nothing of a code')).toBe('mistyped');
  });
});
