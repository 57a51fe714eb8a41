/** Licences and parts of the app, on the staff pages. */
import { expect, it } from 'vitest';
import { staffPages } from './staff-pages.ts';

const { page, goTo } = staffPages(1);

it('the version in the sidebar opens a list of all packages with their licences, and the full text on request', async () => {
  await goTo('#/staff', '.rail-about');
  await page().locator('.rail-about').click();
  await page().locator('.about-part').first().waitFor();
  expect(await page().innerText('.staff-title h1')).toMatch(/^Touchpoint \S+$/);
  expect(await page().innerText('.staff-head [role="status"]')).toMatch(
    /^It contains 2\d\d third-party components/,
  );
  const part = page().locator('.about-part', { has: page().getByText('better-sqlite3', { exact: true }) });
  await part.locator('summary').click();
  expect(await part.locator('pre').innerText()).toContain('Permission is hereby granted, free of charge');
  for (const name of ['react-dom', 'fastify', 'sharp', 'zxing-wasm', '@fontsource-variable/figtree']) {
    expect(await page().getByText(name, { exact: true }).count(), name).toBe(1);
  }
});
