/**
 * Connections for the key of a single exhibiting company: it sees its own and no others
 * (docs/interface/endpoints.md#rule-4).
 *
 * That such a company needs a valid license is decided earlier, with the other rights.
 */
import { forbidden, notFound } from '../http/errors.ts';
import type { JsonText } from '../http/json.ts';
import type { ExpoCall, Operation } from '../http/operation.ts';

function narrow(call: ExpoCall, partnerId: string): ExpoCall {
  const asked = call.query.partnerId;
  if (asked !== undefined && asked !== partnerId) throw forbidden('This key reads its own connections only');
  return { ...call, query: { ...call.query, type: call.query.type ?? 'partner', partnerId } };
}

/** The same operation, narrowed to the partner of the key when it has one. */
export function narrowToPartner(operation: Operation): Operation {
  if (operation.right !== 'connections' || !operation.onExpo) return operation;
  return {
    ...operation,
    handle: async (call: ExpoCall) => {
      const { partnerId } = call.caller;
      if (partnerId === null) return operation.handle(call);
      if (operation.query) return operation.handle(narrow(call, partnerId));
      const answer = await operation.handle(call);
      const record = JSON.parse((answer as JsonText).text) as { readonly partnerID: string };
      if (record.partnerID !== partnerId) throw notFound('Connection not found');
      return answer;
    },
  };
}
