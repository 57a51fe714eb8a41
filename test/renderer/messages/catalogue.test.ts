/**
 * Texts: every language is complete and has the same arguments, there is no text outside the catalogues, and brand
 * colours are readable.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'vite';
import { describe, expect, it } from 'vitest';
import { languages, pickLanguage } from '../../../src-renderer/messages/catalogue.ts';
import { brandRoles, contrast, parse } from '../../../src-renderer/theme/brand.ts';
import { purposes } from '../../../src-renderer/visitor/state/purposes.ts';

const source = join(import.meta.dirname, '../../../src-renderer');
const [english, ...others] = languages;

/** All argument names of an ICU message. */
function argumentsOf(message: string): string[] {
  const found = new Set<string>();
  let at = 0;
  const text = (): void => {
    for (; at < message.length && message[at] !== '}'; at += 1) if (message[at] === '{') argument();
  };
  const argument = (): void => {
    const [, name = '', mark] = /^\{\s*(\w+)\s*([,}])/.exec(message.slice(at)) ?? [];
    if (!name) throw new Error(`Not an ICU message: ${message}`);
    found.add(name);
    at = message.indexOf(mark ?? '}', at);
    for (; message[at] !== '}'; at += 1) {
      if (message[at] !== '{') continue;
      at += 1;
      text();
    }
  };
  text();
  return [...found].sort();
}

/** A text as a regular expression. */
const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

describe('catalogues', () => {
  it.each(others.map((language) => [language.tag, language] as const))(
    '%s has every text of English, with the same arguments, and none empty',
    (_tag, { messages }) => {
      expect(Object.keys(messages).sort()).toEqual(Object.keys(english.messages).sort());
      for (const [id, message] of Object.entries(messages)) {
        expect(message.trim(), id).not.toBe('');
        expect([id, argumentsOf(message)]).toEqual([
          id,
          argumentsOf(english.messages[id as keyof typeof english.messages]),
        ]);
      }
    },
  );

  it("share no id between the staff pages and the visitor's screen", () => {
    const idsOf = (file: string) =>
      Object.keys(JSON.parse(readFileSync(join(source, 'messages', file), 'utf8')) as object);
    for (const tag of ['en', 'de']) {
      const visitors = new Set(idsOf(`${tag}.json`));
      expect(idsOf(`staff-${tag}.json`).filter((id) => visitors.has(id))).toEqual([]);
    }
  });

  it('have the forms zero, two and few of `lead.taps` if their language needs them', () => {
    for (const { tag, messages } of languages) {
      const needed = new Intl.PluralRules(tag)
        .resolvedOptions()
        .pluralCategories.filter((form) => form !== 'many' || tag === 'ar');
      for (const form of needed) {
        if (form === 'zero' || form === 'two' || form === 'few')
          expect(messages['lead.taps'], tag).toContain(`${form} {`);
      }
    }
  });

  it.each(languages)('$tag has a text for every purpose if a text differs by purpose', ({ messages }) => {
    const differing = Object.values(messages).filter((message) => message.includes('{purpose, select'));
    expect(differing).not.toEqual([]);
    // `other` is the text for the purpose `lead`.
    for (const purpose of purposes.filter((one) => one !== 'lead'))
      for (const message of differing) expect(message).toContain(`${purpose} {`);
  });

  it('have only texts that a screen uses', () => {
    const code = readdirSync(source, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file))
      .map((file) => readFileSync(join(source, file), 'utf8'))
      .join('\n');
    // The code composes some ids from a template. All ids that match the template count as used. A value in a template
    // matches one word, except that a value at the start may contain dots.
    const usable = [...code.matchAll(/`([^`\n]*\$\{[^`\n]*)`/g)]
      .map(([, text = '']) => text.split(/\$\{[^}]*\}/))
      .filter((parts) => parts.join('').length > 3)
      .map(([first = '', ...rest]) => {
        const [next = '', ...others] = rest.map((part) => escaped(part));
        const after = first === '' ? '[\\w.-]+' : '[\\w-]+';
        return new RegExp(`^${[`${escaped(first)}${after}${next}`, ...others].join('[\\w-]+')}$`);
      });
    const unsaid = Object.keys(english.messages).filter(
      (id) => !code.includes(`'${id}'`) && !code.includes(`"${id}"`) && !usable.some((form) => form.test(id)),
    );
    expect(unsaid).toEqual([]);
  });

  it('are chosen by preference: the first available one, otherwise English', () => {
    expect(pickLanguage(['xx', 'de-CH', 'fr']).tag).toBe('de');
    expect(pickLanguage(['zh-Hant-TW']).tag).toBe('zh');
    expect(pickLanguage([]).tag).toBe('en');
  });
});

describe('components', () => {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.tsx'),
  );
  const spoken = new Set(['aria-label', 'title', 'placeholder', 'alt', 'aria-description']);

  it.each(files)('%s has no text of its own', (file) => {
    expect(literalTexts(readFileSync(join(source, file), 'utf8'))).toEqual([]);
  });

  it('are checked by a search that finds planted texts', () => {
    expect(literalTexts('const A = () => <p title="Hello">World</p>;')).toEqual(['Hello', 'World']);
  });

  function literalTexts(code: string): string[] {
    const found: string[] = [];
    const look = (node: unknown): void => {
      if (Array.isArray(node)) node.forEach(look);
      if (Array.isArray(node) || typeof node !== 'object' || node === null) return;
      const it = node as { type?: string; name?: unknown; value?: unknown };
      if (it.type === 'JSXText' && /\p{L}/u.test(String(it.value))) found.push(String(it.value).trim());
      if (it.type === 'JSXAttribute') {
        const name = (it.name as { name?: unknown }).name;
        const value = it.value as { type?: string; value?: unknown } | null;
        const isText = value?.type === 'Literal' && /\p{L}/u.test(String(value.value));
        if (spoken.has(String(name)) && isText && !String(name).includes('label'))
          found.push(String(value.value));
        if (name === 'aria-label' && isText) found.push(String(value.value));
      }
      Object.values(it).forEach(look);
    };
    look(parseAst(code, { lang: 'tsx' }));
    return found;
  }
});

describe("a partner's colour", () => {
  const papers = { light: parse('#faf8f4'), dark: parse('#101218') };

  it.each(['#ffe600', '#ffffff', '#000000', '#1f4bd8', '#ff0000', '#7fffd4', '#808080'])(
    '%s is readable in both themes',
    (colour) => {
      for (const theme of ['light', 'dark'] as const) {
        const brand = parse(brandRoles(colour, theme)?.brand ?? '');
        const paper = papers[theme];
        expect(brand && paper ? contrast(brand, paper) : 0).toBeGreaterThanOrEqual(4.5);
      }
    },
  );

  it('is kept if it is readable, and refused if it is not a colour', () => {
    expect(brandRoles('#1f4bd8', 'light')?.brand).toBe('#1f4bd8');
    expect(brandRoles('javascript:alert(1)', 'light')).toBeNull();
  });
});
