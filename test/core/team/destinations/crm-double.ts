/**
 * `npm run crm-double`: a double of HubSpot or Salesforce on this machine, to try the CRM page without an account.
 *
 * Invariant: it keeps contacts in memory only, and prints no value of one.
 */
import { startHubspot } from './hubspot-double.ts';
import { startSalesforce } from './salesforce-double.ts';

const TOKEN = 'token-of-the-double';
const kinds = { hubspot: startHubspot, salesforce: startSalesforce };

const [name = ''] = process.argv.slice(2);
if (name !== 'hubspot' && name !== 'salesforce') {
  process.stderr.write('Use npm run crm-double -- hubspot, or salesforce.\n');
  process.exit(2);
}
// The random value is greater than every fault probability, so no fault happens.
const double = await kinds[name](() => 1, TOKEN);
process.stdout.write(
  `A double of ${name}. Address: ${double.address}  Token: ${TOKEN}\nIts contacts: ${double.address}/contacts  Stop it with Ctrl-C.\n`,
);
