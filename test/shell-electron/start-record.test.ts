/** The record of failed starts decides whether a start uses the safe mode. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { beginStart } from '../../src-main/shell-electron/start-record.ts';
import { ownFolder } from '../core/fixture.ts';

test.each([
  [null, 0, false],
  ['', 0, false],
  ['{"failed":1}', 1, false],
  ['{"failed":2}', 2, true],
  ['{"failed":9}', 9, true],
  ['{"failed":-1}', 0, false],
  ['{"failed":"2"}', 0, false],
  ['{"failed":2,"more":1}', 0, false],
  ['{"fai', 0, false],
])('the record %j counts as %i failed starts, and the next start is a safe one: %j', (text, failed, safe) => {
  const folder = ownFolder();
  const path = join(folder, 'starts.json');
  if (text !== null) writeFileSync(path, text);
  const start = beginStart(folder);
  expect(start.isSafe).toBe(safe);
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ failed: failed + 1 });
  start.succeeded();
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ failed: 0 });
});
