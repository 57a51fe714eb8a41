/**
 * Lists the registered visitors of an event, page by page, and says how the clocks compare.
 *
 *     npm run platform -- --seed demo            (in another terminal)
 *     node packages/api-client/example/list-visitors.ts http://127.0.0.1:8810/create/v2 AD2026
 *
 * The key stands in PLATFORM_KEY, so that it is in no list of processes; without it the demo key is used.
 */
import { createClient } from '../../../src-main/core/foundations/api/client.ts';
import { ApiError } from '../../../src-main/core/foundations/api/error-class.ts';
import { everyPage } from '../src/pages.ts';
import { createPlatformApi } from '../src/platform-api.ts';

const [baseUrl = 'http://127.0.0.1:8810/create/v2', expoId = 'AD2026'] = process.argv.slice(2);
const key = process.env.PLATFORM_KEY ?? 'demo-key-touchpoint';

const clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)),
};
const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const client = createClient({ baseUrl, key, password: '', expoId }, clock);
const platform = createPlatformApi(client);
const { visitors } = platform.event(expoId);

try {
  const expo = await platform.expos.read(expoId);
  say(`${expo.name ?? expo.id} (${expo.timezone ?? 'no time zone'})`);
  let count = 0;
  const registered = { registrationStates: ['registered'] };
  for await (const page of everyPage((paging) => visitors.list({ ...paging, ...registered }), {
    limit: 100,
  })) {
    for (const { firstName = '', lastName = '', company = '' } of page) {
      say(`${firstName} ${lastName}`.trim() + (company === '' ? '' : `, ${company}`));
    }
    count += page.length;
  }
  say(`${count} registered visitors`);
  const difference = client.platformClock();
  if (difference !== null) say(`The platform's clock is ${difference.offsetMs} ms ahead of ours.`);
} catch (error) {
  if (!(error instanceof ApiError)) throw error;
  // The error class says what to do: wait, stop and ask somebody, try again, or change the request.
  say(`${error.message}: ${JSON.stringify(error.errorClass)}`);
  process.exitCode = 1;
} finally {
  await client.close();
}
