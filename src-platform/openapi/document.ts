/**
 * The OpenAPI 3.1 description, generated from the operations and schemas that the server runs on.
 *
 * Invariant: everything that is not published (docs/interface/undocumented.md) has `x-documented: false`: operations,
 * parameters, answers, schemas and single fields.
 */
import { z } from 'zod';
import {
  type ApiError,
  badRequest,
  forbidden,
  notFound,
  rejectedField,
  tooManyRequests,
  unauthorized,
} from '../http/errors.ts';
import type { Operation, Shown } from '../http/operation.ts';

type Json = Readonly<Record<string, unknown>>;

const silence = { 'x-documented': false } as const;

const inWords = 'Not in the published interface. This platform defines it.';

/** The required right, in the words of the command that creates keys. */
const rights: Readonly<Record<Operation['right'], string>> = {
  read: '',
  write: 'Requires write permission (`keys add --write`). Without it, the answer is 403.',
  webhooks:
    "Requires no write permission. A key has access to its own webhooks. Only the organiser's key for all events has access to all webhooks.",
  connections:
    'Requires the right to connections (`keys add --connections`), which write permission does not include. Without it, the answer is 403.',
};

/** The rights of a key for a single company (`keys add --partner`). */
const ofCompany: Readonly<Record<NonNullable<Operation['ofCompany']>, string>> = {
  own: 'With the key of a single company (`keys add --partner`), this operation covers only the records of that company.',
  event: 'The key of a single company (`keys add --partner`) may also call this operation.',
};

function paragraphs(...parts: readonly (string | undefined)[]): Json {
  const given = parts.filter((part) => part !== undefined && part !== '');
  return given.length === 0 ? {} : { description: given.join('\n\n') };
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _dialect, ...described } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      // An answer may have more fields than described.
      if (io === 'output' && jsonSchema.additionalProperties === false)
        delete jsonSchema.additionalProperties;
      // The format is shorter to read than the pattern.
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
      const preset = z.globalRegistry.get(zodSchema)?.default;
      if (preset !== undefined) jsonSchema.default = preset as typeof jsonSchema.default;
    },
  });
  return described;
}

const errorSchema: Json = {
  type: 'object',
  required: ['status', 'title', 'type'],
  properties: {
    status: { type: 'integer' },
    title: { type: 'string' },
    type: { type: 'string', examples: ['badRequest'] },
    errors: {
      ...silence,
      type: 'array',
      items: {
        type: 'object',
        required: ['field', 'error', 'description'],
        properties: {
          field: { type: 'string' },
          error: { type: 'string' },
          description: { type: 'string' },
        },
      },
    },
  },
};

/** An answer with an error. Its example is the body of `error`, with this answer's status. */
function errorAnswer(description: string, error: ApiError, more: Json = {}): Json {
  const schema = { $ref: '#/components/schemas/Error' };
  return {
    description,
    content: { 'application/json': { schema, example: error.body() } },
    ...more,
  };
}

function answersOf(operation: Operation): Json {
  const creates = operation.method === 'POST' || operation.method === 'PUT';
  return {
    200: successOf(operation),
    400: errorAnswer(
      'The event does not exist, or the request is malformed',
      operation.onExpo ? badRequest('Expo not found') : badRequest('The body is not valid JSON'),
    ),
    401: errorAnswer('No valid API key', unauthorized('The API key is not valid'), silence),
    403: errorAnswer(
      'The key lacks the right, the event is outside its scope, or the address of the client is not on its list',
      forbidden('This event is outside the scope of the key'),
      silence,
    ),
    ...(operation.mayMiss
      ? { 404: errorAnswer('There is no such record', notFound(missingTitle(operation)), silence) }
      : {}),
    ...(creates ? { 422: errorAnswer('The submitted data was rejected', rejectedExample(operation)) } : {}),
    429: errorAnswer('More than two parallel requests for this key', tooManyRequests(), {
      headers: { 'Retry-After': { ...silence, schema: { type: 'integer' }, description: 'Seconds' } },
    }),
  };
}

/** The title of a 404, as the operation sends it: it contains the noun of the record. */
function missingTitle({ summary }: Operation): string {
  const noun = / one (.+)$/.exec(summary)?.[1] ?? 'record';
  return `${noun.charAt(0).toUpperCase()}${noun.slice(1)} not found`;
}

/** An example of a 422 of the operation: a field is missing in its body. */
function rejectedExample({ example, bytes }: Operation): ApiError {
  if (bytes === true) return rejectedField('body', 'notAnImage', 'An image is JPEG or PNG');
  const [first] = Array.isArray(example) ? (example as readonly unknown[]) : [example];
  const [field = 'body'] = Object.keys((first as object | undefined) ?? {});
  return rejectedField(field, 'required', 'Invalid input: expected string, received undefined');
}

function successOf({ shows, answer, summary, method }: Operation): Json {
  if (answer === null) return { description: 'Empty confirmation' };
  const isShown = shows !== undefined && method !== 'DELETE';
  const reference = isShown ? { $ref: `#/components/schemas/${shows.name}` } : schemaOf(answer, 'output');
  const schema = isShown && shows.many ? { type: 'array', items: reference } : reference;
  return { description: summary, content: { 'application/json': { schema } } };
}

function parametersOf(operation: Operation): readonly Json[] {
  const inPath = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
    ...(demoIds[name ?? ''] === undefined ? {} : { example: demoIds[name ?? ''] }),
    ...laterIds[name ?? ''],
  }));
  if (!operation.query) return inPath;
  const { properties = {}, required = [] } = schemaOf(operation.query, 'input') as {
    readonly properties?: Readonly<Record<string, Json>>;
    readonly required?: readonly string[];
  };
  const inQuery = Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
    ...(Array.isArray(schema.examples) ? { example: schema.examples[0] } : {}),
    // A list is written with commas, as in the published interface (docs/interface/overview.md).
    ...(schema.type === 'array' ? { style: 'form', explode: false } : {}),
    ...paragraphs(
      schema.description as string | undefined,
      operation.undocumentedQuery?.includes(name) ? inWords : undefined,
    ),
    ...(operation.undocumentedQuery?.includes(name) ? silence : {}),
  }));
  return [...inPath, ...inQuery];
}

function bodyOf(operation: Operation): Json {
  if (operation.bytes) {
    const content = { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } };
    return { requestBody: { required: true, content } };
  }
  const schema = operation.bodyShape ?? operation.body;
  if (!schema) return {};
  const example = operation.example === undefined ? {} : { example: operation.example };
  const content = { 'application/json': { schema: schemaOf(schema, 'input'), ...example } };
  return { requestBody: { required: true, content } };
}

/** A stable name for generated clients, for example `getVisitorsById`. */
function operationId({ method, path }: Operation): string {
  const scope = path === '/expos/{expoId}' ? '' : '{expoId}';
  const words = path.split('/').filter((part) => part !== '' && part !== scope);
  const named = words.map((part) =>
    part.startsWith('{') ? 'ById' : part.charAt(0).toUpperCase() + part.slice(1),
  );
  return `${method.toLowerCase()}${named.join('')}`;
}

function describeOperation(operation: Operation): Json {
  return {
    operationId: operationId(operation),
    tags: [operation.tag],
    summary: operation.summary,
    ...paragraphs(
      operation.description,
      rights[operation.right],
      operation.ofCompany && ofCompany[operation.ofCompany],
      operation.documented ? undefined : inWords,
    ),
    ...(operation.documented ? {} : silence),
    parameters: parametersOf(operation),
    ...bodyOf(operation),
    responses: answersOf(operation),
  };
}

function describeShown({ schema, documented }: Shown): Json {
  return {
    ...schemaOf(schema, 'output'),
    ...(documented ? {} : { ...silence, description: inWords }),
  };
}

/** The whole description as a plain value. */
export function describeInterface(operations: readonly Operation[], basePath: string): Json {
  const paths: Record<string, Record<string, Json>> = {};
  const schemas: Record<string, Json> = { Error: errorSchema };
  for (const operation of operations) {
    const path = paths[operation.path] ?? {};
    path[operation.method.toLowerCase()] = describeOperation(operation);
    paths[operation.path] = path;
    const { shows } = operation;
    if (shows) schemas[shows.name] = describeShown(shows);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Event Registration and Engagement Data API',
      version: '2.0',
      description:
        'Press *Authorize*, type a key as the user name and leave the password empty. The key of the demo event is ' +
        '`demo-key-touchpoint`. Every example below works on the demo event without changes, except those of ' +
        'connections and webhooks, because it has none at first. `keys add` creates keys with the rights that you ' +
        'name.\n\nWhere the published document has a gap, this platform defines what happens: "Not in the published ' +
        'interface" (`x-documented: false`). Revisions are 64-bit integers: read them without rounding.',
    },
    servers: [{ url: basePath }],
    security: [{ key: [] }],
    tags: [...new Set(operations.map((operation) => operation.tag))].map((name) => ({ name })),
    paths,
    components: { schemas, securitySchemes: { key: { type: 'http', scheme: 'basic' } } },
  };
}

/** By path parameter: kinds of records that the demo event does not have at first. */
const laterIds: Readonly<Record<string, Json>> = {
  connectionId: {
    example: 'AD2026V000020AD2026P002',
    description:
      'The demo event has none at first. Send a tap with `POST /actions/{expoId}`, then read the id with `GET /connections/{expoId}`.',
  },
  webhookId: {
    example: 'AD2026W001',
    description:
      'The demo event has none at first. `POST /webhooks/{expoId}` creates one and returns its id.',
  },
};

/** By path parameter: a record that the demo event has. */
const demoIds: Readonly<Record<string, string>> = {
  expoId: 'AD2026',
  activityId: 'AD2026A02',
  contentId: 'AD2026P002N1',
  labelId: 'AD2026L2',
  licenseId: 'AD2026X002',
  orderId: 'AD2026O001',
  partnerId: 'AD2026P002',
  paymentId: 'AD2026Y001',
  touchpointId: 'AD2026T01',
  visitorId: 'AD2026V000020',
};
