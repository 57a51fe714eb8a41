/** The request for a countersignature, to a hub that is silent or does not sign. */
import { expect, it } from 'vitest';
import { askToCountersign } from '../../../../src-main/core/delivery/hub/countersign.ts';
import { answerOf } from '../../foundations/api/literal-server.ts';
import { answering, meeting } from '../../foundations/api/meeting-point.ts';

const HASH = 'a'.repeat(64);

it.each([
  ['never answers', () => undefined],
  ['does not know the request', answering(answerOf(404, []))],
])('a hub that %s gives no signature, and the request is not rejected', async (_what, answer) => {
  const { client } = await meeting(answer);
  expect(await askToCountersign(client, HASH, 200)).toBeNull();
});
