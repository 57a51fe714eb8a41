/** What is said of a native module that cannot be loaded. */
import { expect, test } from 'vitest';
import { moduleFault } from '../../../src-main/devices/reader/module-fault.ts';

test('one of another runtime is said with both versions and the way out, in one sentence', () => {
  const said = moduleFault(
    "The module '/x y/node_modules/@pokusew/pcsclite/build/Release/pcsclite.node'\n" +
      'was compiled against a different Node.js version using\n' +
      'NODE_MODULE_VERSION 137. This version of Node.js requires\n' +
      'NODE_MODULE_VERSION 150. Please try re-compiling or re-installing\n' +
      'the module (for instance, using `npm rebuild` or `npm install`).',
  );
  expect(said).toContain('compiled for module version 137, and this runtime has 150');
  expect(said).toContain('npm start');
  expect(said).not.toContain('\n');
});

test('anything else keeps the first line of the runtime', () => {
  const said = moduleFault("Cannot find module '../build/Release/pcsclite.node'\nRequire stack:\n- /x");
  expect(said).toBe(
    "the reader module cannot be loaded: Cannot find module '../build/Release/pcsclite.node'",
  );
  expect(moduleFault('x'.repeat(2_000)).length).toBeLessThanOrEqual(400);
});
