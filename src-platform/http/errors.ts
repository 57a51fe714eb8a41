/**
 * Errors in the form of the interface (docs/interface/errors.md#body): `{ status, title, type }`, on 422 also the list
 * of fields.
 *
 * Invariant: no other form of error body exists. Anything that is not an `ApiError` is a defect: it is logged and
 * answered with a plain 500 without internal details.
 */
export type FieldError = { readonly field: string; readonly error: string; readonly description: string };

export type ErrorBody = {
  readonly status: number;
  readonly title: string;
  readonly type: string;
  readonly errors?: readonly FieldError[];
};

/**
 * The type values; `badRequest` is documented, the other values fill a gap in the interface
 * (docs/interface/undocumented.md#errors).
 */
const typeByStatus: Readonly<Record<number, string>> = {
  400: 'badRequest',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'notFound',
  405: 'methodNotAllowed',
  408: 'requestTimeout',
  422: 'unprocessableEntity',
  429: 'tooManyRequests',
};

export class ApiError extends Error {
  readonly status: number;
  readonly errors: readonly FieldError[] | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    title: string,
    errors?: readonly FieldError[],
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(title);
    this.status = status;
    this.errors = errors;
    this.headers = headers;
  }

  body(): ErrorBody {
    return errorBody(this.status, this.message, this.errors);
  }
}

/** The documented body for a status (docs/interface/errors.md#statuses). */
export function errorBody(status: number, title: string, errors?: readonly FieldError[]): ErrorBody {
  return {
    status,
    title,
    type: typeByStatus[status] ?? (status < 500 ? 'badRequest' : 'internalServerError'),
    ...(errors ? { errors } : {}),
  };
}

/** The request is malformed (docs/interface/errors.md#statuses, 400). */
export function badRequest(title: string): ApiError {
  return new ApiError(400, title);
}

/** The key lacks the right (403). */
export function forbidden(title: string): ApiError {
  return new ApiError(403, title);
}

/** A record that does not exist in a known event (404). */
export function notFound(title: string): ApiError {
  return new ApiError(404, title);
}

/** A known path without this method (405). */
export function methodNotAllowed(methods: readonly string[]): ApiError {
  return new ApiError(405, `This path takes: ${methods.join(', ')}`, undefined, {
    allow: methods.join(', '),
  });
}

/** No key, or an invalid one (401). */
export function unauthorized(title: string): ApiError {
  return new ApiError(401, title, undefined, {
    'www-authenticate': 'Basic realm="Event data API", charset="UTF-8"',
  });
}

/** The third parallel request of a key (429, docs/interface/limits.md#parallel-requests). */
export function tooManyRequests(): ApiError {
  return new ApiError(429, 'More than two parallel requests for this key', undefined, { 'retry-after': '1' });
}

/** Well-formed data that is refused; each entry names its field (422). */
export function rejected(errors: readonly FieldError[]): ApiError {
  return new ApiError(422, 'The submitted data was rejected', errors);
}

/** The 422 of one field. */
export function rejectedField(field: string, error: string, description: string): ApiError {
  return rejected([{ field, error, description }]);
}
