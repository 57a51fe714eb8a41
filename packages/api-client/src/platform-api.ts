/**
 * Every operation of the interface over one client: the entry to this package (packages/api-client/README.md).
 *
 *     const platform = createPlatformApi(createClient(access, clock));
 *     const page = await platform.event('AD2026').visitors.list({ fromRevision: 0n });
 *
 * Invariant: composition only; what an operation does stands in its family's file.
 */
import type { PlatformClient } from '../../../src-main/core/foundations/api/client.ts';
import { sendEmailOf } from '../../../src-main/core/foundations/api/send-email.ts';
import { postActions } from '../../../src-main/core/foundations/api/write-extension.ts';
import { actionsOf } from './documented/actions.ts';
import { activitiesOf } from './documented/activities.ts';
import { connectionsOf } from './documented/connections.ts';
import { contentsOf } from './documented/contents.ts';
import { exposOf } from './documented/expos.ts';
import { labelsOf } from './documented/labels.ts';
import { licensesOf } from './documented/licenses.ts';
import { ordersOf } from './documented/orders.ts';
import { participantsOf } from './documented/participants.ts';
import { partnersOf } from './documented/partners.ts';
import { paymentsOf } from './documented/payments.ts';
import { registrationTypesOf } from './documented/registration-types.ts';
import { touchpointsOf } from './undocumented/touchpoints.ts';
import { uploadsOf } from './undocumented/uploads.ts';
import { visitorsOf } from './undocumented/visitors.ts';
import { webhooksOf } from './undocumented/webhooks.ts';

/** The operations of one event. */
function eventOf(client: PlatformClient, expoId: string) {
  return {
    actions: {
      ...actionsOf(client, expoId),
      /** Undocumented: our extension for writing interactions (`write-extension.ts`). @throws ApiError */
      write: (items: readonly string[], signal?: AbortSignal) => postActions(client, expoId, items, signal),
    },
    activities: activitiesOf(client, expoId),
    connections: connectionsOf(client, expoId),
    contents: contentsOf(client, expoId),
    labels: labelsOf(client, expoId),
    licenses: licensesOf(client, expoId),
    orders: ordersOf(client, expoId),
    participants: participantsOf(client, expoId),
    partners: partnersOf(client, expoId),
    payments: paymentsOf(client, expoId),
    registrationTypes: registrationTypesOf(client, expoId),
    sendEmail: sendEmailOf(client, expoId),
    touchpoints: touchpointsOf(client, expoId),
    visitors: visitorsOf(client, expoId),
    webhooks: webhooksOf(client, expoId),
  };
}

/** All operations. */
export function createPlatformApi(client: PlatformClient) {
  return {
    expos: exposOf(client),
    uploads: uploadsOf(client),
    event: (expoId: string) => eventOf(client, expoId),
  };
}
