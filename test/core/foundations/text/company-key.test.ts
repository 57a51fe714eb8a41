/** Which spellings of a company's name are treated as the same company. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { companyKey } from '../../../../src-main/core/foundations/text/company-key.ts';

test.each([
  ['ACME', ['Acme', 'acme GmbH', 'ACME Ltd.', 'Acme, Inc.', 'The Acme Co., Ltd']],
  ['Müller & Söhne GmbH & Co. KG', ['MULLER UND SOHNE', 'Muller and Sohne KG']],
  ['Société Générale S.A.', ['Societe Generale SA']],
  ['株式会社山田製作所', ['山田製作所', '㈱山田製作所', '山田製作所 株式会社']],
  ['华为技术有限公司', ['华为技术']],
  ['شركة النور ذ.م.م', ['النور']],
  ["L'Oréal", ['L’Oreal', 'LOREAL']],
  ['Northwind-Robotics AG', ['Northwind Robotics']],
])('%s and its spellings have the same key', (name, others) => {
  for (const other of others) expect(companyKey(other), other).toBe(companyKey(name));
});

test.each([
  ['ACME', 'ACME Austria'],
  ['ACME', 'ACME Group'],
  ['Müller', 'Möller'],
  ['AG', 'GmbH'],
  ['Co Op', 'Op'],
  ['山田製作所', '山田工業'],
])('%s and %s have different keys', (one, other) => {
  expect(companyKey(one)).not.toBe(companyKey(other));
});

test('a name with a letter or a digit has a key', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (name) => {
      if (/[\p{L}\p{N}]/u.test(name)) expect(companyKey(name)).not.toBe('');
    }),
  );
});
