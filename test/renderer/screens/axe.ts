/**
 * Runs axe's accessibility rules over a page, fast: the script is injected once, and after a change of size only
 * rules that depend on layout run again.
 *
 * Invariant: every rule of WCAG 2.2 A and AA and of good practice runs; exceptions are listed by name.
 */
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** Rules whose result may change with the size. */
const ofLayout = ['color-contrast', 'target-size', 'scrollable-region-focusable'];

type Violation = {
  readonly id: string;
  readonly nodes: readonly {
    readonly target: readonly string[];
    readonly any: readonly { readonly message: string }[];
  }[];
};

/**
 * Violations as text. `part`: all rules, or those that depend on layout. `but` lists rules that cannot apply here.
 */
export async function axeFaults(
  page: Page,
  part: 'all' | 'layout',
  but: readonly string[] = [],
): Promise<string[]> {
  // The first check injects the script, which stays as long as the page.
  if (!(await page.evaluate<boolean>("'axe' in globalThis"))) {
    await new AxeBuilder({ page }).setLegacyMode(true).withRules(['document-title']).analyze();
  }
  const runOnly = part === 'all' ? { type: 'tag', values: tags } : { type: 'rule', values: ofLayout };
  const rules = Object.fromEntries([...but, 'target-size'].map((id) => [id, { enabled: !but.includes(id) }]));
  const options = { runOnly, rules, resultTypes: ['violations'], elementRef: false };
  const { violations } = await page.evaluate<{ violations: readonly Violation[] }>(
    `axe.run(document, ${JSON.stringify(options)})`,
  );
  return violations.map(
    ({ id, nodes }) =>
      `axe ${id}: ${nodes.map(({ target, any }) => `${target.join(' ')} ${any[0]?.message ?? ''}`).join('; ')}`,
  );
}
