/** The text after a tap of a badge without a known name. It promises a name only if a name can arrive. */
import { expect, it } from 'vitest';
import { viewOf } from '../../../../src-renderer/visitor/state/reducer.ts';
import { wordingOf } from '../../../../src-renderer/visitor/wording/wording.ts';
import { healthyDevice, plainStand } from '../../device/healthy-device.ts';
import { capturedBy, play, tap } from '../state/reducer-player.ts';

const visitors = { name: 'visitors', count: 0, complete: false };

const idsOf = (
  resources: readonly { name: string; count: number; complete: boolean; refused?: boolean }[],
) => {
  const view = viewOf(play([[0, tap(capturedBy(1, { visitor: null }))]]), 100);
  const device = { ...healthyDevice, mirror: { ...healthyDevice.mirror, resources: [...resources] } };
  const known = { device, stand: plainStand, basket: null, language: 'en', clock: String };
  const { headline, sentence } = wordingOf(view, known);
  return [headline, sentence].map((line) => ('id' in line ? line.id : null));
};

it('promises that the name follows if the device reads visitors', () => {
  expect(idsOf([visitors])).toEqual(['captured.unknownHeadline', 'captured.unknownSentence']);
  // After the key lost the right, known visitors remain, so a name may still arrive.
  expect(idsOf([{ ...visitors, complete: true, refused: true }])).toEqual([
    'captured.unknownHeadline',
    'captured.unknownSentence',
  ]);
});

it('does not promise a name on a device whose key cannot read visitors', () => {
  expect(idsOf([{ ...visitors, refused: true }])).toEqual([
    'captured.namelessHeadline',
    'captured.namelessSentence',
  ]);
});
