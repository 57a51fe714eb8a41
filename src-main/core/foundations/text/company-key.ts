/**
 * The key that is equal for all spellings of a company's name. Pure.
 *
 * Invariants:
 * - Capitals, accents, punctuation, "and" and the legal form are ignored: `ACME Ltd.` and `Acme GmbH` have one key.
 * - A place or a part of a group is significant: `ACME Austria` has its own key. Staff merge such companies by hand.
 * - If nothing of a name remains after these rules, the name itself is its key.
 */
import { foldForSearch } from './fold.ts';

/** Legal forms as words at the end of a name, folded and without punctuation. */
const LEGAL = new Set(
  (
    'ab ag aps as asa bv bvba co corp corporation doo eg eood ev gbr gesmbh gmbh inc incorporated kft kg kgaa kk ' +
    'lda limited llc llp lp ltd ltda mbh nv ohg ood oy oyj plc pte pty pvt sa sab sarl sas sasu sc sca scs se sl slu ' +
    'snc spa spzoo sro srl ug uk zrt شمم ذمم محدودة'
  ).split(' '),
);

/** Legal forms beside a name without a space (Japanese, Chinese, Korean). */
const UNSPACED =
  /株式会社|有限会社|合同会社|\((?:株|有|同|주)\)|股份有限公司|有限责任公司|有限責任公司|有限公司|주식회사/gu;

/** Words between the parts of a name. */
const AND = new Set(['and', 'und', 'et', 'y', 'e', '&', '+']);

/** Words before a name that do not distinguish it. */
const BEFORE = new Set(['شركة', 'the', 'firma']);

/** The key of a company's name. Empty for an empty name. */
export function companyKey(name: string): string {
  const folded = foldForSearch(name).trim();
  const words = foldForSearch(name.normalize('NFKC').replace(UNSPACED, ' '))
    // The points of `S.A.` join its letters; other punctuation separates.
    .replace(/(?<=\p{L})\.(?=\p{L}(?!\p{L}))/gu, '')
    .replace(/['’`]/gu, '')
    .replace(/[^\p{L}\p{N}&+]+/gu, ' ')
    .split(' ')
    .filter((word) => word !== '' && !AND.has(word));
  while (words.length > 1 && BEFORE.has(words[0] ?? '')) words.shift();
  while (words.length > 1 && LEGAL.has(words.at(-1) ?? '')) words.pop();
  return words.join(' ') || folded;
}
