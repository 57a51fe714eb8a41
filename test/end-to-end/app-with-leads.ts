/** The app as users start it, in a folder with the leads of a day at the stand of the demo event. */
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { onTestFinished } from 'vitest';
import {
  type AppClient,
  findRunningApp,
  openAppConnection,
} from '../../src-main/commands/tap/app-connection.ts';
import { openDatabase } from '../../src-main/core/foundations/store/database.ts';
import { createJournal, type FactDraft } from '../../src-main/core/journal/facts/journal.ts';
import { JOURNAL_MIGRATIONS } from '../../src-main/core/journal/facts/schema.ts';
import { handClock } from '../core/fixture.ts';
import { stamperOf } from '../core/real-parts.ts';
import { type RunningApp, startApp } from '../launch/running-app.ts';
import { startBrowser } from '../renderer/browser.ts';

export const PIN = '2580';
/** The stand of the demo event. */
const PARTNER = 'AD2026P001';

/**
 * Records `count` visitors (v0, v1, …), each with one tap. Three contents make a lead hot. `name`: first name, last
 * name, e-mail.
 */
export const fillJournal = (
  folder: string,
  count: number,
  name: (index: number) => readonly [string, string, string],
  isHot: (index: number) => boolean,
): void => {
  const path = join(folder, 'journal.db');
  const database = openDatabase(path, { durability: 'full', migrations: JOURNAL_MIGRATIONS });
  const clock = handClock(Date.now() - 8 * 3_600_000);
  const journal = createJournal(database, stamperOf(clock));
  const at = { source: 'nfc', reader: 'r', touchpoint: null, partner: PARTNER, clockOffset: 0, staff: null };
  database.transaction(() => {
    for (let index = 0; index < count; index += 1) {
      clock.pass(60_000);
      const [firstName, lastName, email] = name(index);
      const record = { id: `v${index}`, firstName, lastName, company: `Works ${index % 40}`, email };
      const visitor = {
        ...{ id: record.id, name: `${firstName} ${lastName}`, company: record.company },
        ...{ jobTitle: null, place: null, record: JSON.stringify(record) },
      };
      const who = { badge: `04${index.toString(16).padStart(12, '0')}`, visitor: visitor.id };
      journal.record({ ...at, kind: 'tap', payload: who } as FactDraft, visitor);
      for (const content of isHot(index) ? ['c1', 'c2', 'c3'] : [])
        journal.record({ ...at, kind: 'collect', payload: { ...who, content } } as FactDraft, visitor);
    }
  })();
  journal.close();
};

/** Starts the app and waits until it serves. It ends with the test. */
export const startOn = async (
  folder: string,
  options: readonly string[] = [],
): Promise<{ readonly app: RunningApp; readonly address: string }> => {
  const app = startApp(folder, options);
  onTestFinished(async () => {
    app.child.kill('SIGKILL');
    await app.ended;
  });
  const [, address = ''] = await app.line(/^Touchpoint is ready: (\S+)$/);
  return { app, address };
};

/** The running app, as a tool sees it. */
export const connectTo = async (folder: string): Promise<AppClient> => {
  const { rpc, token } = findRunningApp(folder) ?? {};
  const connection = await openAppConnection(rpc ?? '', token ?? '');
  if (connection === null) throw new Error('Expected the app to answer');
  onTestFinished(connection.close);
  return connection.client;
};

/** A laptop's browser that shows the visitor's screen. */
export const openDisplay = async (address: string, height = 800): Promise<Page> => {
  const browser = await startBrowser();
  onTestFinished(() => browser.close());
  const page = await browser.newPage({
    viewport: { width: 1280, height },
    locale: 'en',
    reducedMotion: 'reduce',
  });
  await page.goto(address);
  await page.locator('main[data-view="attract"]').waitFor();
  return page;
};
