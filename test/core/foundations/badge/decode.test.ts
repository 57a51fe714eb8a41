/** Which codes a card or a text holds as a badge, and why others are refused. */
import { expect, test } from 'vitest';
import { badgeOfCard, badgeOfText } from '../../../../src-main/core/foundations/badge/decode.ts';
import type { NfcCard } from '../../../../src-main/core/foundations/badge/nfc-card.ts';
import { openProfile } from '../../../../src-main/core/foundations/badge/profile.ts';
import { ndefMessage, posterRecord, type RecordToBuild, textRecord, uriRecord } from './ndef-bytes.ts';

const ntag = '3B8F8001804F0CA0000003060300030000000068';
const profile = { hosts: ['badge.example'], discoverUrl: 'https://discover.example/fair' };

const card = (uid: string, atr = ntag, ...records: readonly RecordToBuild[]): NfcCard => ({
  uid,
  atr,
  ndef: records.length === 0 ? { state: 'none' } : { state: 'read', bytes: ndefMessage(...records) },
});

const ofCard = (reading: NfcCard) => badgeOfCard(reading, profile);
const ofText = (text: string) => badgeOfText(text, profile);
const badge = (...codes: readonly string[]) => ({ kind: 'badge', codes });
const notABadge = (reason: string) => ({ kind: 'notABadge', reason });

test('UIDs of 4, 7 and 10 bytes are badges, other lengths are not', () => {
  for (const uid of ['A1B2C3D4', '04A1B2C3D4E5F6', '04A1B2C3D4E5F6000102']) {
    expect(ofCard(card(uid))).toEqual(badge(uid));
  }
  for (const uid of ['A1', '04A1B2C3D4', 'E00401000A0B0C0D'])
    expect(ofCard(card(uid))).toEqual(notABadge('uid'));
});

test('Phones and fixed or random UIDs are refused as phones with any memory content', () => {
  const written = uriRecord(4, 'badge.example/b/1');
  for (const uid of ['08A1B2C3', '01020304', '00000000', 'FFFFFFFF', '00000000000000', 'FFFFFFFFFFFFFF']) {
    expect(ofCard(card(uid, ntag, written))).toEqual({ kind: 'phone' });
  }
  expect(ofCard(card('', '3B80800101'))).toEqual({ kind: 'phone' });
  expect(ofCard(card('A1B2C3D4', '3B80800101'))).toEqual({ kind: 'phone' });
});

test('A card with a random UID that is not a phone is a badge only if its memory contains an id', () => {
  const written = uriRecord(4, 'badge.example/b/1');
  for (const atr of ['3B8180018080', '3B878001C1052F2F01BCD6A9']) {
    expect(ofCard(card('08A1B2C3', atr, written))).toEqual({ kind: 'badge', codes: ['1'] });
    expect(ofCard(card('08A1B2C3', atr))).toEqual({ kind: 'randomUid' });
  }
  expect(ofCard(card('08A1B2C3', '3B80800101'))).toEqual({ kind: 'phone' });
});

test('A memory that could not be read in time is reported as lost', () => {
  const uid = '04A1B2C3D4E5F6';
  const read = (ndef: NfcCard['ndef']) => ofCard({ uid, atr: ntag, ndef });
  expect(read({ state: 'timeout' })).toEqual({ ...badge(uid), lostNdef: 'timeout' });
  expect(read({ state: 'failed', reason: 'x' })).toEqual({ ...badge(uid), lostNdef: 'failed' });
  expect(read({ state: 'none' })).toEqual(badge(uid));
});

test('A card with a double-size UID and the plain ATR of an application card is a badge', () => {
  expect(ofCard(card('04A1B2C3D4E5F6', '3B80800101'))).toEqual(badge('04A1B2C3D4E5F6'));
  expect(ofCard(card('0804A1B2C3D4E5', '3B8180018080'))).toEqual(badge('0804A1B2C3D4E5'));
});

test('A contact card without UID is not a badge', () => {
  expect(ofCard(card('', '3B6800000073C84012009000'))).toEqual(notABadge('uid'));
});

test('The UID comes first, then the id in the memory, without duplicates', () => {
  const uid = '04A1B2C3D4E5F6';
  expect(ofCard(card(uid, ntag, uriRecord(4, 'badge.example/b/ABC123')))).toEqual(badge(uid, 'ABC123'));
  expect(ofCard(card(uid, ntag, posterRecord(uriRecord(4, 'go.badge.example/?id=77'))))).toEqual(
    badge(uid, '77'),
  );
  expect(
    ofCard(card(uid, ntag, textRecord('04:a1:b2:c3:d4:e5:f6'), textRecord('X'), textRecord('X'))),
  ).toEqual(badge(uid, 'X'));
  expect(ofCard(card(uid, ntag, uriRecord(4, 'elsewhere.example/b/1')))).toEqual(badge(uid));
  expect(ofCard({ uid, atr: ntag, ndef: { state: 'read', bytes: Uint8Array.of(0xd1) } })).toEqual(badge(uid));
});

test('A content page is content, not a badge, on a sticker and in a code', () => {
  expect(ofText('https://discover.example/fair/c/c1')).toEqual(notABadge('content'));
  expect(ofText('http://DISCOVER.example/fair/c/c1?x=1')).toEqual(notABadge('content'));
  expect(ofCard(card('04A1B2C3D4E5F6', ntag, uriRecord(4, 'discover.example/fair/c/c1')))).toEqual(
    notABadge('content'),
  );
});

test('Addresses of other hosts, with passwords or without an id are not badges', () => {
  expect(ofText('https://evil.example/b/1')).toEqual(notABadge('foreignHost'));
  expect(ofText('https://badge.example.evil.example/b/1')).toEqual(notABadge('foreignHost'));
  expect(ofText('https://badge.example@evil.example/b/1')).toEqual(notABadge('address'));
  expect(ofText('https://badge.example/')).toEqual(notABadge('noId'));
  expect(ofText('https://badge.example/%zz')).toEqual(notABadge('noId'));
  expect(ofText('http://')).toEqual(notABadge('address'));
  expect(badgeOfText('https://anything.example/v/42', openProfile)).toEqual(badge('42'));
});

test('A UID may be typed with colons, spaces, hyphens and lower-case letters', () => {
  for (const text of [
    '04:a1:b2:c3:d4:e5:f6',
    ' 04A1 B2C3 D4E5 F6\n',
    '04-a1-b2-c3-d4-e5-f6',
    '04a1b2c3d4e5f6',
  ]) {
    expect(ofText(text)).toEqual(badge('04A1B2C3D4E5F6'));
  }
});

test('Any other code stays as it is, except that control and invisible characters are removed', () => {
  expect(ofText('Visitor-0042/b')).toEqual(badge('Visitor-0042/b'));
  expect(ofText('\u0002QR\u200b-7\u202e\r')).toEqual(badge('QR-7'));
  expect(ofText('<b>"x"</b>')).toEqual(badge('<b>"x"</b>'));
  expect(ofText('badge:12')).toEqual(badge('badge:12'));
});

test('Codes that are empty, too long or contain something else are refused with a reason', () => {
  expect(ofText(' \u0000\n')).toEqual(notABadge('empty'));
  expect(ofText('x'.repeat(2049))).toEqual(notABadge('tooLong'));
  expect(ofText('é'.repeat(1025))).toEqual(notABadge('tooLong'));
  expect(ofText('x'.repeat(2_000_000))).toEqual(notABadge('tooLong'));
  expect(ofText('x'.repeat(2048))).toEqual(badge('x'.repeat(2048)));
  for (const text of [
    'javascript:alert(1)',
    'mailto:a@b.example',
    'WIFI:S:x;;',
    'tel:+1',
    'TOUCHPOINT:1:6BF 9'.repeat(9),
  ]) {
    expect(ofText(text)).toEqual(notABadge('otherContent'));
  }
});

test('Of a contact card only the id is used', () => {
  const vcard =
    'BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ada\r\nitem1.X-Badge-Id;TYPE=x:AB\\,\r\n C1\r\nUID:9\r\nEND:VCARD';
  expect(ofText(vcard)).toEqual(badge('AB,C1'));
  expect(ofText('BEGIN:VCARD\nUID:urn:uuid:12ab\nEND:VCARD')).toEqual(badge('12ab'));
  expect(ofText('MECARD:N:Ada;X-ID:7\\;8;;')).toEqual(badge('7;8'));
  expect(ofText('MECARD:N:Ada;EMAIL:a@b.example;;')).toEqual(notABadge('contactWithoutId'));
  expect(ofText('BEGIN:VCARD\nFN:Ada\nEND:VCARD')).toEqual(notABadge('contactWithoutId'));
  const record: RecordToBuild = { tnf: 2, type: 'text/vCard', payload: new Uint8Array(Buffer.from(vcard)) };
  expect(ofCard(card('04A1B2C3D4E5F6', ntag, record))).toEqual(badge('04A1B2C3D4E5F6', 'AB,C1'));
});
