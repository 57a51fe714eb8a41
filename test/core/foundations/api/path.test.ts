/** The address in a content's QR code. */
import { expect, it } from 'vitest';
import { contentQrText } from '../../../../src-main/core/foundations/api/path.ts';

it('the address in a QR code has one slash before its path, even if the address of the event ends in one', () => {
  expect(contentQrText('https://discover.example/', 'C1')).toBe('https://discover.example/c/C1');
  expect(contentQrText('https://discover.example', 'C 1')).toBe('https://discover.example/c/C%201');
});
