/** Validation errors of a schema as the field list of a 422. */
import type { z } from 'zod';
import { type ApiError, badRequest, type FieldError, rejected } from './errors.ts';

/** The path of a field in its body, for example `badges.1.code`. */
export function fieldOf(path: readonly PropertyKey[]): string {
  return path.map(String).join('.');
}

/** The name of an error: `required` for a missing field, otherwise the code of the schema library. */
function errorName(issue: z.core.$ZodIssue): string {
  return issue.input === undefined && issue.code.startsWith('invalid_') ? 'required' : issue.code;
}

/** The fields of `error`; an issue without a field is assigned to `whole`. */
export function fieldErrorsOf(error: z.core.$ZodError, whole: string): readonly FieldError[] {
  return error.issues.flatMap((issue): readonly FieldError[] => {
    if (issue.code === 'unrecognized_keys') {
      const description = 'There is no such field here';
      return issue.keys.map((key) => ({
        field: fieldOf([...issue.path, key]),
        error: 'unknownField',
        description,
      }));
    }
    return [{ field: fieldOf(issue.path) || whole, error: errorName(issue), description: issue.message }];
  });
}

/** A year outside 1 to 9999 makes the input malformed. It is not a refused value. */
function isOutsideYears(issue: z.core.$ZodIssue): boolean {
  if (issue.code === 'custom') return issue.params?.outsideYears === true;
  const isDate = issue.code === 'invalid_format' && issue.format === 'datetime';
  return isDate && /^(\d{5,}|[+-]\d+)-/.test(String(issue.input));
}

/** The refusal of an invalid body: 422 with its fields, or 400 for a year outside 1 to 9999. */
export function refusalOf(error: z.core.$ZodError): ApiError {
  const outside = error.issues.find(isOutsideYears);
  if (outside) return badRequest(`${fieldOf(outside.path)}: the year must be from 1 to 9999`);
  return rejected(fieldErrorsOf(error, 'body'));
}
