/** Background jobs of the stand when single requests fail: other jobs continue, and nothing is lost. */
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openMirror } from '../../../../src-main/core/event/mirror/mirror.ts';
import type { ApiClient } from '../../../../src-main/core/foundations/api/client.ts';
import { ApiError, type ErrorClass } from '../../../../src-main/core/foundations/api/error-class.ts';
import { createStorageGuard } from '../../../../src-main/core/foundations/store/storage-guard.ts';
import { openDurableJournal } from '../../../../src-main/core/journal/recovery/durable-journal.ts';
import { refreshDetails, sendWaitingEmails } from '../../../../src-main/core/stand/visit/background-jobs.ts';
import { createEmails } from '../../../../src-main/core/stand/visit/emails.ts';
import { handClock, ownFolder, rememberingLog } from '../../fixture.ts';
import { openJournal, stamperOf } from '../../real-parts.ts';
import { EXPO, fill, smallFair } from './stand-kiosk.ts';

const retry: ErrorClass = { kind: 'retry', reached: 'maybe' };
const refused: ErrorClass = { kind: 'reject', status: 404, reason: 'not found' };
const never = new AbortController().signal;

/** A client that answers with a refusal or a text, depending on a word in the request. */
const scripted = (answers: Readonly<Record<string, ErrorClass | string>>) => {
  const asked: string[] = [];
  const answer = async (what: string): Promise<string> => {
    asked.push(what);
    const found = Object.entries(answers).find(([word]) => what.includes(word))?.[1] ?? retry;
    if (typeof found === 'string') return found;
    throw new ApiError(found, 'scripted');
  };
  const client: ApiClient = {
    get: (path) => answer(path),
    post: (path, body) => answer(`${path} ${body}`),
    getBytes: () => Promise.reject(new Error('Nothing is to be mirrored')),
    clockOffset: () => null,
    close: async () => undefined,
  };
  return { client, asked };
};

const openEmails = (answers: Readonly<Record<string, ErrorClass | string>>, isOffline = false) => {
  const clock = handClock();
  const journal = openJournal(join(ownFolder(), 'journal.db'), stamperOf(clock));
  onTestFinished(journal.close);
  const log = rememberingLog();
  const storageGuard = createStorageGuard({ log, isInPlace: () => true, onRecorded: () => undefined });
  const { client, asked } = scripted(answers);
  const emails = createEmails({
    client,
    expoId: EXPO,
    journal,
    clock,
    log,
    storageGuard,
    isOffline: () => isOffline,
  });
  return { ask: emails.ask, journal, asked, sendWaiting: () => sendWaitingEmails(journal, emails, never) };
};

const sent = (visitorId: string): string =>
  JSON.stringify({ visitorId, type: 'confirmation', force: true, sent: true });

it('an e-mail that the mail server defers waits and does not delay others', async () => {
  const { journal, sendWaiting, asked } = openEmails({ v1: retry, v2: sent('v2'), v3: refused });
  for (const [index, visitor] of ['v1', 'v2', 'v3'].entries()) journal.emails.add(visitor, index);
  await sendWaiting();
  expect(asked).toHaveLength(3);
  expect(journal.emails.waiting()).toEqual(['v1']);
});

it('waiting e-mails cause only three requests if each of them fails', async () => {
  const { journal, sendWaiting, asked } = openEmails({});
  for (let index = 0; index < 20; index += 1) journal.emails.add(`v${index}`, index);
  await sendWaiting();
  expect(asked).toHaveLength(3);
  expect(journal.emails.waiting()).toHaveLength(20);
});

it('an e-mail with a lost answer is reported as queued, a refused one as impossible, and only the first waits', async () => {
  const { journal, ask } = openEmails({ v1: retry, v2: refused, v3: sent('v3') });
  expect(await ask('v1', true)).toBe('queued');
  expect(await ask('v2', true)).toBe('impossible');
  expect(await ask('v3', true)).toBe('sent');
  expect(journal.emails.waiting()).toEqual(['v1']);
});

it('pending e-mails survive a quarantine of the journal', () => {
  const clock = handClock();
  const folder = ownFolder();
  const durable = openDurableJournal({ folder, stamper: stamperOf(clock), clock, log: rememberingLog() });
  onTestFinished(durable.journal.close);
  durable.journal.settings.set('expo', EXPO);
  durable.journal.emails.add('v1', 1);
  durable.journal.emails.add('v2', 2);
  durable.journal.emails.remove('v1');
  durable.putAside('a test');
  expect(durable.journal.emails.waiting()).toEqual(['v2']);
  expect(durable.journal.settings.get('expo')).toBe(EXPO);
});

it('failed requests for details are repeated, refused ones are not, and other details still arrive', async () => {
  const mirror = openMirror(join(ownFolder(), 'mirror.db'), EXPO);
  onTestFinished(mirror.close);
  fill(mirror, smallFair());
  const told = (id: string) => JSON.stringify({ id, revision: 9, description: `All about ${id}` });
  const { client, asked } = scripted({ c0: retry, c1: refused, c2: told('c2'), p1: told('p1') });
  const assignment = {
    touchpoint: 'lead1',
    partner: 'p1',
    deviceName: '',
    purpose: 'lead',
    content: null,
    activity: null,
    location: null,
  } as const;
  const refresh = () =>
    refreshDetails(
      { client, expoId: EXPO, mirror, clock: handClock(), onKept: () => undefined },
      assignment,
      1_000,
      never,
    );
  expect(await refresh()).toBe(false);
  expect(mirror.stand.detail('contents', 'c2')?.body).toMatchObject({ description: 'All about c2' });
  expect(mirror.stand.detail('contents', 'c1')?.body).toBeNull();
  expect(mirror.stand.detail('contents', 'c0')).toBeNull();
  asked.length = 0;
  await refresh();
  expect(asked).toEqual([`/contents/${EXPO}/c0`]);
});
