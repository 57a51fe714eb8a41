/** The layout for the size of a page. */
import { expect, it } from 'vitest';
import { roomOf } from '../../../src-renderer/theme/room.ts';

it.each([
  ['a screen of 1920 by 1080', 1920 / 23.2, 1080 / 23.2, 'full'],
  ['a screen of 1080 by 1920', 1080 / 21.6, 1920 / 21.6, 'full'],
  ['a laptop', 1280 / 15.7, 800 / 15.7, 'full'],
  ['a screen of 1920 by 1080 with large text', 1920 / 27.9, 1080 / 27.9, 'tight'],
  ['a screen of 1024 by 600', 1024 / 14, 600 / 14, 'tight'],
  ['a screen of 800 by 480', 800 / 14, 480 / 14, 'low'],
  ['a laptop zoomed in four times', 320 / 14, 200 / 14, 'scroll'],
  ['a screen of 1920 by 1080 with letters of 200 %', 1920 / 46.5, 1080 / 46.5, 'scroll'],
  ['a screen of 1080 by 1920 with letters of 200 %', 1080 / 43.2, 1920 / 43.2, 'scroll'],
])('gives %s its layout', (_what, width, height, room) => {
  expect(roomOf(width, height)).toBe(room);
});
