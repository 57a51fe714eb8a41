/**
 * Pictures and films of the attract loop: which files of a folder are served, in which ranges, and which files are
 * never served.
 */
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openAttractFiles } from '../../src-main/page/attract-files.ts';
import { answerPage } from '../../src-main/shell-electron/policies/page-protocol.ts';
import { startShell } from '../shell-browser/shell-under-test.ts';

let folder: string;
let loop: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'touchpoint-attract-'));
  loop = join(folder, 'loop');
  await mkdir(loop);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function bytesOf(body: (() => AsyncIterable<Buffer>) | null | undefined) {
  const parts: Buffer[] = [];
  for await (const part of body?.() ?? []) parts.push(part);
  return Buffer.concat(parts).toString();
}

describe('a folder of pictures and films', () => {
  test('is listed by name, numbers in numeric order, with only pictures and films', async () => {
    for (const name of [
      '10.png',
      '2.JPG',
      '3.mp4',
      'b.webm',
      '.hidden.png',
      'page.html',
      'x.svg',
      'none.png',
    ])
      await writeFile(join(loop, name), name === 'none.png' ? '' : 'x');
    await mkdir(join(loop, 'folder.png'));
    expect(openAttractFiles(loop).list()).toEqual([
      { kind: 'picture', address: expect.stringMatching(/^media\/[\da-f]{24}\.jpg$/) },
      { kind: 'video', address: expect.stringMatching(/^media\/[\da-f]{24}\.mp4$/) },
      { kind: 'picture', address: expect.stringMatching(/^media\/[\da-f]{24}\.png$/) },
      { kind: 'video', address: expect.stringMatching(/^media\/[\da-f]{24}\.webm$/) },
    ]);
  });

  test('serves no link and nothing outside the folder, whatever the request', async () => {
    await writeFile(join(folder, 'secret.png'), 'secret');
    await symlink(join(folder, 'secret.png'), join(loop, 'link.png'));
    await writeFile(join(loop, 'a.png'), 'a');
    const files = openAttractFiles(loop);
    const [only, ...others] = files.list();
    expect(others).toEqual([]);
    for (const path of ['/media/../secret.png', '/media/a.png', '/media/', '/a.png', `//${only?.address}`])
      expect(files.answer(path, null)).toBeNull();
    // By the time the file is fetched, it is a link.
    await rm(join(loop, 'a.png'));
    await symlink(join(folder, 'secret.png'), join(loop, 'a.png'));
    await expect(bytesOf(files.answer(`/${only?.address}`, null)?.body)).rejects.toThrow('ELOOP');
  });

  test('gives a file with new content a new address, and serves nothing at the old one', async () => {
    await writeFile(join(loop, 'a.png'), 'old');
    const files = openAttractFiles(loop);
    const [before] = files.list();
    await writeFile(join(loop, 'a.png'), 'newer');
    const [after] = files.list();
    expect(after?.address).not.toBe(before?.address);
    expect(files.answer(`/${before?.address}`, null)).toBeNull();
  });

  test('has an empty list if it is missing or unset', () => {
    expect(openAttractFiles(join(folder, 'nowhere')).list()).toEqual([]);
    expect(openAttractFiles(null).list()).toEqual([]);
  });

  test.each([
    [null, 200, '0123456789', undefined],
    ['bytes=0-', 206, '0123456789', 'bytes 0-9/10'],
    ['bytes=2-4', 206, '234', 'bytes 2-4/10'],
    ['bytes=8-99', 206, '89', 'bytes 8-9/10'],
    ['bytes=-3', 206, '789', 'bytes 7-9/10'],
    ['bytes=10-', 416, '', 'bytes */10'],
    ['bytes=5-2', 200, '0123456789', undefined],
    ['bytes=0-1,3-4', 200, '0123456789', undefined],
    ['lines=1-2', 200, '0123456789', undefined],
  ])('answers the range %s with status %i', async (range, status, body, told) => {
    await writeFile(join(loop, 'a.mp4'), '0123456789');
    const files = openAttractFiles(loop);
    const [film] = files.list();
    const answer = files.answer(`/${film?.address}`, range);
    expect(answer?.status).toBe(status);
    expect(answer?.headers['Content-Range']).toBe(told);
    expect(await bytesOf(answer?.body)).toBe(body);
  });

  test('serves a range of a file in the Electron shell with its type and "nosniff"', async () => {
    await writeFile(join(loop, 'a.mp4'), '0123456789');
    const given = { files: { find: () => null }, attract: openAttractFiles(loop) };
    const [film] = given.attract.list();
    const answer = answerPage(
      given,
      new Request(`app://touchpoint/${film?.address}`, { headers: { range: 'bytes=3-5' } }),
    );
    expect([answer.status, await answer.text()]).toEqual([206, '345']);
    expect(answer.headers.get('Content-Type')).toBe('video/mp4');
    expect(answer.headers.get('X-Content-Type-Options')).toBe('nosniff');
  });

  test('serves files in the browser shell only to its own page, and ends the connection if a file disappears', async () => {
    const shell = await startShell();
    await mkdir(join(shell.folder, 'attract'));
    await writeFile(join(shell.folder, 'attract', 'a.mp4'), '0123456789');
    await writeFile(join(shell.folder, 'attract', 'b.png'), 'gone soon');
    const [film, picture] = shell.attract.list();
    const cookie = `Cookie: ${await shell.signIn()}`;
    const part = await shell.ask(`GET /${film?.address}`, [cookie, 'Range: bytes=1-3']);
    expect([part.status, part.body]).toEqual([206, '123']);
    expect(part.head.toLowerCase()).toContain('content-range: bytes 1-3/10');
    expect(part.head.toLowerCase()).toContain("content-security-policy: default-src 'none'");
    const head = await shell.ask(`HEAD /${film?.address}`, [cookie]);
    expect([head.status, head.body]).toEqual([200, '']);
    expect((await shell.ask(`GET /${film?.address}`)).status).toBe(403);
    await rm(join(shell.folder, 'attract', 'b.png'));
    expect((await shell.ask(`GET /${picture?.address}`, [cookie])).body).toBe('');
    expect((await shell.ask('GET /', [cookie])).status).toBe(200);
    await shell.end();
  });
});
