/**
 * Every operation the typed client offers, as "METHOD /path/{id}": the table of
 * docs/interface/endpoints.md#operations, then what is not published and our write extension.
 */
export const DOCUMENTED = [
  'GET /expos',
  'GET /expos/{expoId}',
  'GET /actions/{expoId}',
  'GET /activities/{expoId}',
  'POST /activities/{expoId}',
  'GET /activities/{expoId}/{activityId}',
  'PUT /activities/{expoId}/{activityId}',
  'DELETE /activities/{expoId}/{activityId}',
  'GET /connections/{expoId}',
  'GET /connections/{expoId}/{connectionId}',
  'GET /contents/{expoId}',
  'POST /contents/{expoId}',
  'GET /contents/{expoId}/{contentId}',
  'PUT /contents/{expoId}/{contentId}',
  'DELETE /contents/{expoId}/{contentId}',
  'GET /labels/{expoId}',
  'POST /labels/{expoId}',
  'GET /labels/{expoId}/{labelId}',
  'PUT /labels/{expoId}/{labelId}',
  'DELETE /labels/{expoId}/{labelId}',
  'GET /licenses/{expoId}',
  'POST /licenses/{expoId}',
  'GET /licenses/{expoId}/{licenseId}',
  'PUT /licenses/{expoId}/{licenseId}',
  'DELETE /licenses/{expoId}/{licenseId}',
  'GET /orders/{expoId}',
  'GET /orders/{expoId}/{orderId}',
  'GET /participants/{expoId}',
  'GET /participants/{expoId}/{visitorId}',
  'GET /partners/{expoId}',
  'POST /partners/{expoId}',
  'GET /partners/{expoId}/{partnerId}',
  'PUT /partners/{expoId}/{partnerId}',
  'DELETE /partners/{expoId}/{partnerId}',
  'GET /payments/{expoId}',
  'GET /payments/{expoId}/{paymentId}',
  'PUT /payments/{expoId}/{paymentId}',
  'GET /registrationTypes/{expoId}',
  'POST /sendemail/{expoId}',
  'GET /visitors/{expoId}',
] as const;

export const UNDOCUMENTED = [
  'GET /visitors/{expoId}/{visitorId}',
  'POST /visitors/{expoId}',
  'PUT /visitors/{expoId}/{visitorId}',
  'DELETE /visitors/{expoId}/{visitorId}',
  'GET /touchpoints/{expoId}',
  'GET /touchpoints/{expoId}/{touchpointId}',
  'GET /webhooks/{expoId}',
  'POST /webhooks/{expoId}',
  'GET /webhooks/{expoId}/{webhookId}',
  'PUT /webhooks/{expoId}/{webhookId}',
  'DELETE /webhooks/{expoId}/{webhookId}',
  'POST /actions/{expoId}',
  'POST /upload/visitor/{visitorId}',
] as const;

/** The operation a request belongs to. @throws Error when it is none of them */
export const operationOf = (method: string, path: string): string => {
  const found = [...DOCUMENTED, ...UNDOCUMENTED].find((operation) => {
    const pattern = operation.replaceAll(/\{\w+\}/g, '[^/]+');
    return new RegExp(`^${pattern}$`).test(`${method} ${path}`);
  });
  if (found === undefined) throw new Error(`No operation of the interface: ${method} ${path}`);
  return found;
};
