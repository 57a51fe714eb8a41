/** The proof of the count, and `verify.html` on real receipts, opened from the disk in a real Chromium. */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createCountersigner } from '../../../../src-hub/countersigner.ts';
import { runExport } from '../../../../src-main/core/team/exports/export-run.ts';
import type { Proof } from '../../../../src-main/core/team/exports/proof.ts';
import {
  type Countersigner,
  isCountersigned,
  keepSigningKey,
  readSigningKey,
  type Signed,
  withSignature,
  withSignatures,
} from '../../../../src-main/core/team/exports/signature.ts';
import { USUAL_HOT_RULE } from '../../../../src-main/core/team/leads/hot.ts';
import { makeSigningKey } from '../../../../src-main/provision/provision-file.ts';
import { ownFolder, tapOf, visitorOf } from '../../fixture.ts';
import { aDay, type Machine, machine } from './handed-journal.ts';
import { openVerifier } from './verifier.ts';

/** A Chromium starts slowly on a busy machine. */
const PATIENCE = 120_000;

const AT = Date.UTC(2026, 10, 20, 17);

/** Exports into a new folder. Returns the texts of the file and of its receipt. */
const exported = (
  { folder }: Machine,
  kind: 'proof' | 'sheet-csv',
  at = AT,
  hub: Countersigner | null = null,
) => {
  const name = kind === 'proof' ? 'leads.proof.json' : 'leads.csv';
  const target = join(ownFolder(), name);
  const result = runExport(
    {
      ...{ dataFolder: folder, kind, target, as: 'one', sheetName: null, isDownload: false, at },
      ...{ event: 'E1', partner: 'p1', rule: USUAL_HOT_RULE, filter: null, filterText: null },
      ...{ language: 'en', separator: null, questions: [], consents: [], form: [] },
      letter: { subject: null, text: null, signatures: [] },
    },
    () => undefined,
    hub,
  );
  if (result.kind !== 'done') throw new Error(`Expected a file, got ${JSON.stringify(result)}`);
  return {
    name,
    text: readFileSync(target, 'utf8'),
    receipt: readFileSync(`${target}.receipt.json`, 'utf8'),
  };
};

const proofIn = (text: string): Proof => JSON.parse(text) as Proof;

const aStand = (): Machine => {
  const here = machine();
  keepSigningKey(here.folder);
  aDay(here);
  return here;
};

test('a proof counts the same leads as the app, and their undos and erasures', () => {
  const here = aStand();
  const { text } = exported(here, 'proof');
  // Ada with two badges, the unknown badge that was undone, the forgotten person, and Wei. The lead of p2 does not
  // count.
  const proof = proofIn(text);
  expect(proof).toMatchObject({ leads: 4, takenBack: 1, erased: 1, here: 4, facts: 7, gaps: [] });
  expect(proof.leads - proof.erased).toBe(here.journal.leads.count('p1'));
  expect(proof.chainHead).toBe(here.journal.chainHead());
});

test('a proof contains no badge, name or payload hash, and only the hashes of another partner’s facts', () => {
  const here = aStand();
  const { text, receipt } = exported(here, 'proof');
  const facts = here.database
    .prepare<[], { seq: number; id: string; payload_sha256: string; hash: string; partner: string }>(
      'SELECT seq, id, payload_sha256, hash, partner FROM fact ORDER BY seq',
    )
    .all();
  for (const { id, payload_sha256: payloadHash } of facts) {
    expect(text).not.toContain(payloadHash);
    expect(text).not.toContain(id);
  }
  for (const word of ['04A1', '04C1', 'Ada', 'Wei', 'Forgotten', 'v1', 'p2', 'PRIVATE']) {
    expect(text).not.toContain(`"${word}`);
    expect(receipt).not.toContain(`"${word}`);
  }
  const other = facts.find(({ partner }) => partner === 'p2');
  expect(proofIn(text).links.find(([seq]) => seq === other?.seq)).toEqual([other?.seq, other?.hash]);
});

test('the key is readable by its owner only and stays the same; without one a receipt is not signed', () => {
  const here = machine();
  aDay(here);
  expect(JSON.parse(exported(here, 'sheet-csv').receipt)).toMatchObject({ signature: null });
  expect(() => exported(here, 'proof')).toThrow('noKey');
  keepSigningKey(here.folder);
  const path = join(here.folder, 'proof-key.pem');
  const key = readFileSync(path, 'utf8');
  keepSigningKey(here.folder);
  expect(readFileSync(path, 'utf8')).toBe(key);
  if (process.platform !== 'win32') expect(statSync(path).mode & 0o077).toBe(0);
  writeFileSync(path, 'half a key');
  expect(JSON.parse(exported(here, 'sheet-csv').receipt)).toMatchObject({ signature: null });
});

test('a journal with a changed fact gets no proof', () => {
  const here = aStand();
  here.database.pragma('writable_schema = ON');
  here.database.exec('DROP TRIGGER IF EXISTS fact_is_append_only');
  const triggers = here.database
    .prepare<[], { name: string }>(
      `SELECT name FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'fact'`,
    )
    .all();
  for (const { name } of triggers) here.database.exec(`DROP TRIGGER "${name}"`);
  here.database.exec('UPDATE fact SET at = at + 1 WHERE seq = 2');
  expect(() => exported(here, 'proof')).toThrow('broken');
});

/** Signs a changed proof again with the device's key, as a cheating owner of the device could. */
const signedAgain = ({ folder }: Machine, text: string, change: (proof: Proof) => object): string => {
  const { signature: _, signedBy: _by, ...proof } = JSON.parse(text) as Signed<Proof>;
  return `${JSON.stringify(withSignatures(change(proof), readSigningKey(folder), null))}\n`;
};

test(
  'verify.html accepts the real files, and refuses each after a change of one byte, one lead or the order',
  async () => {
    const here = aStand();
    const { verify, requests } = await openVerifier();
    const sheet = exported(here, 'sheet-csv');
    const { text } = exported(here, 'proof', AT + 1_000);
    const accepted = await verify({
      'a.proof.json': text,
      'leads.csv.receipt.json': sheet.receipt,
      'leads.csv': sheet.text,
    });
    for (const result of accepted) expect(result).toMatch(/^Accepted/u);
    expect(accepted[0]).toContain('Leads: 4. Of these 1 taken back');
    expect(accepted[0]).toContain('Only the device signed. No hub confirmed it.');
    expect(accepted[1]).toContain('Nothing recorded before was removed');

    const refused = async (name: string, changed: string, why: RegExp) => {
      const [result] = await verify({ [name]: changed });
      expect(result).toMatch(/^REFUSED/u);
      expect(result).toMatch(why);
    };
    // Changes one byte: every 97th of the proof and of the receipt, all checked in one selection of files.
    const bytesChanged = (name: string, whole: string) =>
      Array.from({ length: Math.ceil(whole.length / 97) }, (_, step): [string, string] => {
        const at = step * 97;
        const other = whole[at] === '1' ? '2' : '1';
        return [`${step}.${name}.json`, `${whole.slice(0, at)}${other}${whole.slice(at + 1)}`];
      });
    const changed = Object.fromEntries([
      ...bytesChanged('proof', text),
      ...bytesChanged('receipt', sheet.receipt),
    ]);
    const results = await verify(changed);
    expect(results).toHaveLength(Object.keys(changed).length);
    for (const result of results) expect(result).toMatch(/^REFUSED/u);
    await refused('space.proof.json', text.replace(',', ', '), /text of the file was changed/u);
    await refused('end.receipt.json', `${sheet.receipt} `, /text of the file was changed/u);

    const { links } = proofIn(text);
    const edited = (change: (proof: Proof) => object) => JSON.stringify(change(proofIn(text)));
    const without = (proof: Proof) => ({ ...proof, links: links.filter(([seq]) => seq !== 3) });
    const swapped = (proof: Proof) => ({ ...proof, links: [links[1], links[0], ...links.slice(2)] });
    const [seq, hash, kind, at, , ...rest] = links.at(-1) ?? [];
    const more = (proof: Proof) => ({
      ...proof,
      links: [...links.slice(0, -1), [seq, hash, kind, at, 99, ...rest]],
    });
    for (const change of [without, swapped, more])
      await refused('edited.proof.json', `${edited(change)}\n`, /signature does not hold/u);
    // Now the device itself signs the edited proofs.
    const again = (change: (proof: Proof) => object) => signedAgain(here, text, change);
    await refused('a.proof.json', again(without), /Entry 4 is not in its place/u);
    await refused('a.proof.json', again(swapped), /Entry 2 is not in its place/u);
    await refused(
      'a.proof.json',
      again((proof) => ({ ...proof, leads: 5 })),
      /says 5 for "leads"/u,
    );
    const [lead] = links;
    const doubled = { links: [...links, [links.length + 1, lead?.[1], 'tap', AT, 50, '', null]] };
    await refused(
      'a.proof.json',
      again((proof) => ({ ...proof, ...doubled })),
      /is there twice/u,
    );
    const [file] = await verify({ 'leads.csv': `${sheet.text}x`, 'leads.csv.receipt.json': sheet.receipt });
    expect(file).toMatch(/^REFUSED/u);
    expect(requests.filter((url) => !url.startsWith('file:'))).toEqual([]);
  },
  PATIENCE,
);

test(
  'a later proof contains an earlier one, even after everyone was erased; a changed history is refused',
  async () => {
    const here = aStand();
    const { verify } = await openVerifier();
    const earlier = exported(here, 'proof');
    here.journal.record(tapOf('04E1', 'v5'), visitorOf('v5', 'Late Guest'));
    const leads = here.database.prepare<[], { id: string }>(`SELECT id FROM lead WHERE partner = 'p1'`).all();
    here.journal.eraseLeads(leads.map(({ id }) => id));
    const later = exported(here, 'proof', AT + 60_000);
    expect(proofIn(later.text)).toMatchObject({ leads: 5, erased: 5 });
    const [first, second] = await verify({ 'a.proof.json': earlier.text, 'b.proof.json': later.text });
    expect(first).toMatch(/^Accepted/u);
    expect(first).toContain('Nothing of it was changed or removed');
    expect(second).toMatch(/^Accepted/u);
    const rewritten = signedAgain(here, later.text, (proof) => ({
      ...proof,
      links: proof.links.map(([seq, hash, ...own]) => [seq, seq === 1 ? 'f'.repeat(64) : hash, ...own]),
    }));
    const [past] = await verify({ 'a.proof.json': earlier.text, 'b.proof.json': rewritten });
    expect(past).toMatch(/^REFUSED/u);
    expect(past).toContain('Entry 1 of the earlier proof was changed or removed');
  },
  PATIENCE,
);

/** A hub with its own key, which signs the hashes of a device. */
const aHub = (): Countersigner => {
  const { fingerprint, sign } = createCountersigner('Hall 7', makeSigningKey().privateKey, () => AT);
  return { fingerprint, sign: (sha256) => sign('D1', sha256) };
};

test(
  'verify.html checks both signatures with a hub, and refuses a missing one, a foreign one and any change',
  async () => {
    const here = aStand();
    const { verify, chooseGerman } = await openVerifier();
    const hub = aHub();
    const proof = exported(here, 'proof', AT, hub);
    const sheet = exported(here, 'sheet-csv', AT, hub);
    const whole = { 'a.proof.json': proof.text, 'leads.csv.receipt.json': sheet.receipt };
    for (const result of await verify(whole)) {
      expect(result).toMatch(/^Accepted/u);
      expect(result).toContain(`Signed by the hub Hall 7, too: ${hub.fingerprint}`);
    }

    const read = (text: string) => JSON.parse(text) as Required<Signed<Proof>>;
    const refused = async (changed: object, why: RegExp) => {
      const [result] = await verify({ 'a.proof.json': `${JSON.stringify(changed)}\n` });
      expect(result).toMatch(/^REFUSED/u);
      expect(result).toMatch(why);
    };
    const { countersignature, signature, ...content } = read(proof.text);
    const later = read(exported(here, 'proof', AT + 1_000, hub).text);
    const foreign = read(exported(here, 'proof', AT, aHub()).text).countersignature;
    await refused({ ...content, signature }, /That signature is missing/u);
    await refused({ ...content, signature, countersignature: foreign }, /Another hub signed/u);
    await refused(
      { ...content, signature, countersignature: later.countersignature },
      /did not sign this file/u,
    );
    await refused({ ...content, countersignature }, /not signed|text of the file/u);
    await refused(
      { ...content, signature, countersignature: { ...countersignature, device: 'D2' } },
      /did not sign this file/u,
    );
    // The owner of the device removes a lead, or swaps two entries, and signs again. The hub signed the earlier list.
    const again = (links: Proof['links']) => {
      const key = readSigningKey(here.folder);
      const signed = withSignatures({ ...content, links }, key, { ...hub, sign: () => countersignature });
      return refused({ ...signed, countersignature }, /did not sign this file/u);
    };
    await again(content.links.slice(0, -1));
    await again([...content.links.slice(1, 2), ...content.links.slice(0, 1), ...content.links.slice(2)]);
    // Another device signs the same content. The hub did not see its signature.
    const other = aStand();
    const stolen = withSignatures(content, readSigningKey(other.folder), {
      ...hub,
      sign: () => countersignature,
    });
    await refused({ ...stolen, countersignature }, /did not sign this file/u);
    // One byte is changed: every 13th of both signatures.
    const from = proof.text.indexOf('"signature"');
    const changed = Array.from({ length: Math.floor((proof.text.length - from) / 13) }, (_, step) => {
      const at = from + step * 13;
      const byte = proof.text[at] === 'A' ? 'B' : 'A';
      return [`${step}.proof.json`, `${proof.text.slice(0, at)}${byte}${proof.text.slice(at + 1)}`] as const;
    });
    for (const result of await verify(Object.fromEntries(changed))) expect(result).toMatch(/^REFUSED/u);

    // The hub cannot be reached.
    const alone = exported(here, 'proof', AT, { ...hub, sign: () => null });
    expect(read(alone.text)).toMatchObject({ signedBy: 'this device only' });
    const [single] = await verify({ 'a.proof.json': alone.text });
    expect(single).toMatch(/^Accepted/u);
    expect(single).toContain('Only the device signed. No hub confirmed it.');
    expect(await chooseGerman()).toMatch(/^Anerkannt.*Nur das Gerät hat signiert/su);
  },
  PATIENCE,
);

test('a device accepts a signature only from its own hub and only over the hash that it sent', () => {
  const hub = aHub();
  const hash = 'a'.repeat(64);
  const [signed, foreign] = [hub.sign(hash), aHub().sign(hash)];
  if (signed === null || foreign === null) throw new Error('Expected two signatures');
  expect(isCountersigned(signed, hub.fingerprint, hash)).toBe(true);
  expect(isCountersigned(foreign, hub.fingerprint, hash)).toBe(false);
  expect(isCountersigned(signed, hub.fingerprint, 'b'.repeat(64))).toBe(false);
  expect(isCountersigned({ ...signed, device: 'D2' }, hub.fingerprint, hash)).toBe(false);
  const publicKey = 'no key';
  expect(
    isCountersigned({ ...signed, signature: { ...signed.signature, publicKey } }, hub.fingerprint, hash),
  ).toBe(false);
});

test(
  'verify.html accepts a proof of a version in which hubs did not sign',
  async () => {
    const here = aStand();
    const key = readSigningKey(here.folder);
    if (key === null) throw new Error('Expected a key');
    const {
      signature: _,
      signedBy: _by,
      ...content
    } = JSON.parse(exported(here, 'proof').text) as Signed<Proof>;
    const earlier = withSignature({ ...content, format: 'touchpoint-proof-1' }, key);
    const { verify } = await openVerifier();
    const [result] = await verify({ 'a.proof.json': `${JSON.stringify(earlier)}\n` });
    expect(result).toMatch(/^Accepted/u);
  },
  PATIENCE,
);
