/** Checks of keys at the real platform. */
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkEvent, checkKey, checkPartner } from '../../src-main/device-setup/key-check.ts';
import { realClock } from '../core/real-parts.ts';
import { type RunningPlatform, startPlatform } from '../platform/running-platform.ts';

const EVENT = 'AD2026';
const OURS = 'AD2026P001';
let platform: RunningPlatform;
beforeAll(async () => {
  platform = await startPlatform();
  await platform.makeKey('stand-key', { expos: [EVENT], canWrite: true, connections: true });
  await platform.makeKey('reading-key', { expos: [EVENT] });
  await platform.makeKey('company-key', {
    expos: [EVENT],
    canWrite: true,
    connections: true,
    partnerId: OURS,
  });
  await platform.makeKey('nothing-key', { expos: [] });
  await platform.makeKey('elsewhere-key', { addresses: ['192.0.2.1'] });
});
afterAll(() => platform?.stop());

/** The platform behind a proxy that returns 403 for these lists. */
const refusing = async (folders: readonly string[]) => {
  const gate = createServer((request, response) => {
    const folder = request.url?.split('/')[3]?.split('?')[0] ?? '';
    if (folders.includes(folder)) {
      response.writeHead(403, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ status: 403, title: 'Not with this key', type: 'forbidden' }));
      return;
    }
    const headers = { authorization: request.headers.authorization ?? '' };
    const onward = httpRequest(`${platform.origin}${request.url}`, { method: request.method, headers });
    onward.setHeader('content-type', 'application/json');
    onward.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    request.pipe(onward);
  });
  await new Promise<void>((resolve) => gate.listen(0, '127.0.0.1', resolve));
  const { port } = gate.address() as AddressInfo;
  return {
    base: `http://127.0.0.1:${port}/create/v2`,
    [Symbol.asyncDispose]: async () => {
      gate.closeAllConnections();
      await new Promise((resolve) => gate.close(resolve));
    },
  };
};

const access = (key: string, address = platform.base) => ({ address, key, privateHttp: false });
const refusal = (reason: string) => ({ kind: 'refused', reason });

describe('a key', () => {
  it('shows only the events that it may see', async () => {
    expect(await checkKey(access('stand-key', `${platform.base}/ `), realClock)).toMatchObject({
      kind: 'events',
      events: [{ id: EVENT, name: 'Automation Days 2026' }],
    });
    expect(await checkKey(access('nothing-key'), realClock)).toEqual({ kind: 'events', events: [] });
  });

  it('is refused with the reason if it is wrong, missing, or used from another address', async () => {
    expect(await checkKey(access('no-key'), realClock)).toEqual(refusal('keyRefused'));
    expect(await checkKey(access(''), realClock)).toEqual(refusal('noKey'));
    expect(await checkKey(access('elsewhere-key'), realClock)).toEqual(refusal('forbidden'));
  });

  it('is never sent to an invalid, unencrypted public or foreign address', async () => {
    const at = async (address: string) => checkKey(access('stand-key', address), realClock);
    expect(await at('platform')).toEqual(refusal('noAddress'));
    expect(await at('https://me@platform.example')).toEqual(refusal('noAddress'));
    expect(await at('http://platform.example/v2')).toEqual(refusal('insecure'));
    expect(await at('http://192.168.1.20:8080/v2')).toEqual(refusal('privateAddress'));
    const [, , port] = platform.origin.split(':');
    expect(await at(`https://localhost:${port}/create/v2`)).toEqual(refusal('notEncrypted'));
    expect(await at(`${platform.origin}/elsewhere`)).toMatchObject({ kind: 'refused' });
    expect(await at('http://127.0.0.1:1/v2')).toEqual(refusal('noAnswer'));
  });

  it('shows its rights in an event, with companies and touchpoints', async () => {
    const found = await checkEvent(access('stand-key'), EVENT, realClock);
    expect(found).toMatchObject({ kind: 'event', rights: { people: true, lacks: [], send: 'yes' } });
    if (found.kind !== 'event') return;
    expect(found.partners.map(({ id }) => id)).toContain(OURS);
    expect(found.touchpoints).toContainEqual(
      expect.objectContaining({ id: 'AD2026T01', purpose: 'lead', partner: OURS }),
    );
    expect(await checkEvent(access('reading-key'), EVENT, realClock)).toMatchObject({
      rights: { people: true, send: 'no' },
    });
    expect(await checkEvent(access('stand-key'), 'OTHER', realClock)).toMatchObject({ kind: 'refused' });
    const { json } = await platform.request('GET', `/actions/${EVENT}?fromRevision=0`);
    expect(json).toEqual([]);
  });

  it('shows its company, its touchpoints, and that it may not read visitors, if it belongs to one company', async () => {
    const found = await checkEvent(access('company-key'), EVENT, realClock);
    expect(found).toMatchObject({ kind: 'event', rights: { people: false, lacks: [], send: 'yes' } });
    if (found.kind !== 'event') return;
    expect(found.partners).toEqual([expect.objectContaining({ id: OURS, name: 'Northwind Robotics' })]);
    expect(new Set(found.touchpoints.map(({ partner }) => partner))).toEqual(new Set([OURS]));
  });

  it('shows companies by id, and which lists are closed, when the platform restricts them', async () => {
    await using closed = await refusing(['partners', 'labels', 'visitors']);
    const found = await checkEvent(access('stand-key', closed.base), EVENT, realClock);
    expect(found).toMatchObject({ kind: 'event', rights: { people: false, lacks: ['partners', 'labels'] } });
    if (found.kind !== 'event') return;
    expect(found.partners).toContainEqual({ id: OURS, name: OURS, stand: null, colour: null });
    await using shut = await refusing(['partners', 'touchpoints']);
    expect(await checkEvent(access('stand-key', shut.base), EVENT, realClock)).toEqual(
      refusal('companyOnly'),
    );
  });

  it('is distinguished from the key of another company', async () => {
    const connections = async (key: string, partner: string) =>
      (await checkPartner(access(key), EVENT, partner, realClock)).connections;
    expect(await connections('company-key', OURS)).toBe('yes');
    expect(await connections('company-key', 'AD2026P002')).toBe('no');
    expect(await connections('stand-key', OURS)).toBe('yes');
    expect(await connections('reading-key', OURS)).toBe('no');
  });
});
