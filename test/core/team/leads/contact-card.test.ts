/** Reads a contact from the text of a vCard or MECARD code. */
import { describe, expect, test } from 'vitest';
import { readContactCard } from '../../../../src-main/core/team/leads/contact-card.ts';

const nobody = { firstName: null, lastName: null, company: null, jobTitle: null, email: null, phone: null };

describe('a contact card', () => {
  test.for([
    [
      'vCard 3.0 with folded lines, a group and escapes',
      'BEGIN:VCARD\r\nVERSION:3.0\r\nN:Ng;Zoé;;;\r\nFN:Zoé Ng\r\nORG:Ünal\\, Söhne;Sales\r\nitem1.TITLE:Head of\r\n  Buying\r\nEMAIL;TYPE=WORK:z.ng@example.org\r\nTEL;TYPE=FAX:1\r\nTEL;TYPE=WORK:2\r\nTEL;TYPE=CELL:+41 44 123\r\nEND:VCARD',
      {
        firstName: 'Zoé',
        lastName: 'Ng',
        company: 'Ünal, Söhne',
        jobTitle: 'Head of Buying',
        email: 'z.ng@example.org',
        phone: '+41 44 123',
      },
    ],
    [
      'vCard 4.0 with a tel address',
      'BEGIN:VCARD\nFN:Ann\nTEL;VALUE=uri:tel:+49-30-1\nEND:VCARD',
      { ...nobody, lastName: 'Ann', phone: '+49-30-1' },
    ],
    [
      'vCard 2.1 in quoted-printable',
      'BEGIN:VCARD\nN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCll=\ner;J=C3=B6rg\nEND:VCARD',
      { ...nobody, firstName: 'Jörg', lastName: 'Müller' },
    ],
    [
      'MECARD',
      'MECARD:N:Lee,Ann;TEL:0123;EMAIL:a\\;b@example.org;ORG:Acme;;',
      {
        ...nobody,
        firstName: 'Ann',
        lastName: 'Lee',
        phone: '0123',
        email: 'a;b@example.org',
        company: 'Acme',
      },
    ],
    [
      'a whole name only',
      'begin:vcard\nfn:Ann van Lee\nend:vcard',
      { ...nobody, firstName: 'Ann', lastName: 'van Lee' },
    ],
  ] as const)('is read from %s', ([, text, expected]) => {
    expect(readContactCard(text)?.contact).toEqual(expected);
  });

  test.for([
    [
      'BEGIN:VCARD\nN:Muster;Jörg;;Dr.;\nFN:Dr. Jörg Muster\nORG:Acme;Sales\nTEL;TYPE=WORK:1\nTEL;TYPE=CELL:2\nADR:;;Bahnhofstr. 1;Zürich;;8001;CH\nURL:https://acme.example\nNOTE:Booth 7\\, left\nEND:VCARD',
      'Dr. Jörg Muster\nSales\n1\nBahnhofstr. 1, Zürich, 8001, CH\nhttps://acme.example\nBooth 7, left',
    ],
    ['BEGIN:VCARD\nN:Muster;Jörg;;Dr.;\nEND:VCARD', 'Dr.'],
    ['MECARD:N:Lee,Ann;ADR:,,1 High St,London;TEL:1;;', '1 High St, London'],
    ['BEGIN:VCARD\nFN:Ann Lee\nTEL:1\nEND:VCARD', ''],
  ] as const)('returns the data that no contact field holds as text: %j', ([text, more]) => {
    expect(readContactCard(text)?.more).toBe(more);
  });

  test.for([
    '',
    'hello',
    'https://example.org',
    'BEGIN:VCARD',
    'MECARD:',
    'BEGIN:VCARD\nNOTE:x\nEND:VCARD',
    'MECARD:N:;;',
  ])('returns null for %j', (text) => {
    expect(readContactCard(text)).toBeNull();
  });

  test('returns clean lines of at most 200 characters or null for any bytes, and never throws', () => {
    const pieces = [
      'N',
      'FN',
      'ORG',
      'TEL',
      'EMAIL',
      ':',
      ';',
      ',',
      '\\',
      '\n',
      '\r\n ',
      '=',
      '=C3',
      'ENCODING=QUOTED-PRINTABLE',
      '"',
      '\0',
      '\ud800',
      'é',
      'x'.repeat(300),
      '小',
      '\u202e',
    ];
    let seed = 7;
    const next = (below: number): number => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    for (let round = 0; round < 3_000; round += 1) {
      const body = Array.from({ length: next(40) }, () => pieces[next(pieces.length)]).join('');
      const card = readContactCard((round % 2 === 0 ? 'BEGIN:VCARD\n' : 'MECARD:') + body);
      for (const field of [...Object.values(card?.contact ?? {}), ...(card?.more.split('\n') ?? [])]) {
        if (field === null) continue;
        expect(field.length).toBeLessThanOrEqual(200);
        expect(field).not.toMatch(/\p{Cc}/u);
        expect(field.isWellFormed()).toBe(true);
      }
    }
  });
});
