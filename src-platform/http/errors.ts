/**
 * What goes wrong, as the API document words it: `{ status, title, type }`, on 422 also the list of fields.
 *
 * Invariant: nothing else ever becomes an error body. Whatever is not an `ApiFault` is a defect; it is logged and
 * answered as a plain 500 without a word about the inside.
 */
export type FieldFault = { readonly field: string; readonly error: string; readonly description: string };

export type FaultBody = {
  readonly status: number;
  readonly title: string;
  readonly type: string;
  readonly errors?: readonly FieldFault[];
};

/** The type values; `badRequest` is documented, the others are our answer to a silence. */
const typeByStatus: Readonly<Record<number, string>> = {
  400: 'badRequest',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'notFound',
  422: 'unprocessableEntity',
  429: 'tooManyRequests',
};

export class ApiFault extends Error {
  readonly status: number;
  readonly errors: readonly FieldFault[] | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    title: string,
    errors?: readonly FieldFault[],
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(title);
    this.status = status;
    this.errors = errors;
    this.headers = headers;
  }

  body(): FaultBody {
    return faultBody(this.status, this.message, this.errors);
  }
}

/** The documented body for a status (section "Errors"). */
export function faultBody(status: number, title: string, errors?: readonly FieldFault[]): FaultBody {
  return {
    status,
    title,
    type: typeByStatus[status] ?? (status < 500 ? 'badRequest' : 'internalServerError'),
    ...(errors ? { errors } : {}),
  };
}

/** The request cannot be understood (section "Errors", 400). */
export function badRequest(title: string): ApiFault {
  return new ApiFault(400, title);
}

/** The key may not do this (403). */
export function forbidden(title: string): ApiFault {
  return new ApiFault(403, title);
}

/** A record that does not exist in a known event (404). */
export function notFound(title: string): ApiFault {
  return new ApiFault(404, title);
}

/** No key, or one that is not valid now (401). */
export function unauthorized(title: string): ApiFault {
  return new ApiFault(401, title, undefined, {
    'www-authenticate': 'Basic realm="Event data API", charset="UTF-8"',
  });
}

/** The third parallel request of a key (429, section "Limits"). */
export function tooManyRequests(): ApiFault {
  return new ApiFault(429, 'More than two parallel requests for this key', undefined, { 'retry-after': '1' });
}

/** Well-formed data that is refused; each entry names its field (422). */
export function rejected(errors: readonly FieldFault[]): ApiFault {
  return new ApiFault(422, 'The submitted data was rejected', errors);
}

/** The 422 of one field. */
export function rejectedField(field: string, error: string, description: string): ApiFault {
  return rejected([{ field, error, description }]);
}
