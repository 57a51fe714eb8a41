/**
 * Messages of a page to the core: only calls of the contract. If a page sends any other message, its port is closed.
 * The ports of other pages stay open.
 */
import { once } from 'node:events';
import { os } from '@orpc/server';
import { expect, onTestFinished, test } from 'vitest';
import { MESSAGE_LIMIT } from '../../src-main/page/page-messages.ts';
import type { FromCore } from '../../src-main/shell-electron/core-messages.ts';
import { createCorePages } from '../../src-main/shell-electron/core-pages.ts';
import { createPagePorts } from '../../src-main/shell-electron/page-ports.ts';
import { PAGE_ADDRESS } from '../../src-main/shell-electron/policies/own-page.ts';
import { FakeChannel, type FakePort } from './fakes/message-channel.ts';

const call = (id: string) => JSON.stringify({ i: id, p: { u: '/ask' } });

/** A shell and a core with a router of one call, and pages that ask for ports. */
function shellAndCore() {
  const defects: unknown[] = [];
  const note = (error: unknown) => void defects.push(error);
  process.on('unhandledRejection', note);
  onTestFinished(() => void process.off('unhandledRejection', note));
  const asked: string[] = [];
  const said: unknown[] = [];
  const router = { ask: os.handler(() => void asked.push('ask')) };
  const core = createCorePages(router, (message: FromCore) => {
    if (message.kind === 'page-said') ports.said(message.page, message.data);
  });
  const ports = createPagePorts({
    makeChannel: () => new FakeChannel(),
    isReady: () => true,
    send: (message) => {
      if (message.kind === 'page-opened') core.opened(message.page);
      if (message.kind === 'page-closed') core.closed(message.page);
      if (message.kind !== 'page-said') return;
      said.push(message.data);
      core.said(message.page, message.data);
    },
  });
  /** One of our pages, with its end of the channel. */
  const openPage = (): FakePort => {
    const given: FakePort[] = [];
    const sender = {
      postMessage: (_channel: string, _message: unknown, [port]: FakePort[] = []) => {
        if (port !== undefined) given.push(port);
      },
    };
    ports.connect({ sender: sender as never, senderFrame: { url: PAGE_ADDRESS, parent: null } });
    const [port] = given;
    if (port === undefined) throw new Error('There is no port');
    onTestFinished(() => port.close());
    port.start();
    return port;
  };
  return { openPage, asked, said, defects };
}

test.each<readonly [string, unknown]>([
  ['null', null],
  ['a number', 7],
  ['an object', { kind: 'stop' }],
  ['bytes', new Uint8Array(8)],
  ['an empty string', ''],
  ['text that is not JSON', 'x'],
  ['truncated JSON', '{"i":"1"'],
  ['a JSON array', '[]'],
  ['a message for the core itself', '{"kind":"stop"}'],
  ['a call without a path', '{"i":"1","p":{}}'],
  ['a path that is not text', '{"i":"1","p":{"u":7}}'],
  ['an unknown type', '{"i":"1","t":99,"p":{"u":"/ask"}}'],
  ['an unrequested answer', '{"i":"1","t":2,"p":{}}'],
  ['a message above the limit', JSON.stringify({ i: '1', p: { u: '/ask', b: 'x'.repeat(MESSAGE_LIMIT) } })],
])('%s closes the port of a page and never reaches the core', async (_what, message) => {
  const { openPage, asked, said, defects } = shellAndCore();
  const [forger, other] = [openPage(), openPage()];
  const closed = once(forger, 'close');
  forger.postMessage(message);
  await closed;
  expect(said).toEqual([]);
  for (const page of [other, openPage()]) {
    const answered = once(page, 'message');
    page.postMessage(call('77'));
    const [answer] = (await answered) as [{ data: unknown }];
    expect(String(answer.data)).toContain('77');
  }
  expect([asked, defects]).toEqual([['ask', 'ask'], []]);
});

test('a page gets an error for an unknown call, and the core calls nothing', async () => {
  const { openPage, asked } = shellAndCore();
  const page = openPage();
  const answered = once(page, 'message');
  page.postMessage(JSON.stringify({ i: '1', p: { u: '/../core/stop' } }));
  const [answer] = (await answered) as [{ data: unknown }];
  expect(String(answer.data)).toContain('404');
  expect(asked).toEqual([]);
});
